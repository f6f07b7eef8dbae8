"""Drives a program at a pseudo-terminal: `drive.py STEPS WORD...`.

STEPS is a JSON list of [awaited, typed]: whenever the screen has shown the first, the second is typed. What was shown is
printed at the end, without escape sequences, and the exit status of the program after it.
"""
import json, os, pty, re, select, struct, sys, fcntl, termios

steps = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 100, 0, 0))
shown, seen = '', 0
plain = lambda text: re.sub(r'\x1b\[[0-9;]*[A-Za-z]', '', text)


def read():
    for _ in range(12):
        ready, _, _ = select.select([terminal], [], [], 5)
        if ready:
            break
        # A signal is lost while another of its kind is on its way: who pressed Ctrl-C presses it again.
        if not steps and typed == '\x03':
            os.write(terminal, typed.encode())
    else:
        sys.exit('nothing more is shown, and this was: ' + repr(plain(shown)) + ' while waiting for ' + repr(steps[:1]))
    try:
        return os.read(terminal, 65536).decode('utf8', 'replace')
    except OSError:
        return ''


over, typed = False, ''
while steps and not over:
    awaited, typed = steps[0]
    at = plain(shown).find(awaited, seen)
    if at >= 0:
        seen = at + len(awaited)
        os.write(terminal, typed.encode())
        steps.pop(0)
        continue
    text = read()
    over = text == ''
    shown += text
while not over:
    text = read()
    over = text == ''
    shown += text
_, status = os.waitpid(pid, 0)
print(re.sub(r'\r+\n', '\n', plain(shown)).replace('\r', '\n'))
for awaited, typed in steps:
    print('never shown:', repr(awaited))
print('status', os.waitstatus_to_exitcode(status))
