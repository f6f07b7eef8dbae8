"""Holds every export of a few runs against their traces, with readers that are not ours.

What must be there is computed here from the lines of the trace, by the words of docs/exports.md, and not
by the code that wrote the exports.
"""

import base64
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict

from google.protobuf import json_format
from google.protobuf.unknown_fields import UnknownFieldSet
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as perfetto

HEMIOLA = sys.argv[1]

PROGRAMS = {
    "nothing": "",
    "clocks": """
        setTimeout(() => obs('a'), 10, 'A');
        setTimeout(() => { obs('b'); Promise.resolve().then(() => obs('p')).then(() => obs('q')); }, 10, 'A');
        let n = 0;
        const i = setInterval(() => { if (++n === 3) clearInterval(i); setTimeout(() => {}, 0, 'A'); }, 4, 'B');
        setInterval(function () { clearInterval(this); }, 1);
        setImmediate(() => process.nextTick(() => console.log('\\u00e9\\u{1f600} "quoted"')));
    """,
    "throws": """
        process.on('uncaughtException', (error) => console.log(error.message));
        setTimeout(() => { throw new Error('late \\n line'); }, 1, 'A\\u00e9"');
        queueMicrotask(() => { throw 1; });
    """,
    "server": """
        const http = require('http'), fs = require('fs');
        const agent = new http.Agent({ keepAlive: true });
        const server = http.createServer((request, response) => {
          fs.readFile(__filename, () => setTimeout(() => response.end('x'), 1, 'answers'));
        });
        server.listen(0, async () => {
          const get = () => new Promise((done) => {
            http.get({ port: server.address().port, agent }, (response) => response.resume().on('end', done));
          });
          for (let i = 0; i < 5; i++) await Promise.all([get(), get(), get()]);
          agent.destroy();
          server.close();
        });
        fs.watch(__dirname).unref();
    """,
    "queue": """
        const { bindLink, bindCausal, unpack } = require('hemiola:context');
        const queue = [];
        const bound = bindLink(() => obs('in'));
        setTimeout(() => queue.push(bindCausal(bound)), 1);
        setTimeout(() => queue.forEach((one) => unpack(one)()), 5, 'A');
    """,
    "tasks": """
        const { initialize, trigger, stop } = require('hemiola:scheduler');
        (async () => {
          await initialize([
            ['good', '0 0 1 1 *', () => new Promise((done) => setTimeout(done, 2)), 60_000],
            ['bad', '0 0 1 1 *', () => { throw new Error('x'); }, 60_000],
          ], { log: false });
          trigger('good');
          trigger('bad');
          setTimeout(stop, 20);
        })();
    """,
}


def fail(message):
    raise SystemExit(f"check-exports: {message}")


def check(condition, message):
    if not condition:
        fail(message)


class Trace:
    """What must be in an export."""

    def __init__(self, lines):
        events = [json.loads(line) for line in lines]
        check(events[0]["format"] == "hemiola-trace", "no header")
        self.invocations = {}
        self.actions = 0
        self.operations = {}
        self.answered = set()
        self.marks = 0
        self.tasks = []
        self.failed_tasks = 0
        running, action = [], None
        for event in events[1:]:
            kind = event["ev"]
            if kind == "began":
                microtask = event.get("class") in ("tick", "promise")
                tag = (event.get("domain"), event.get("time"), event.get("microstep", 0))
                if not microtask and (tag[0] is None or tag != action):
                    self.actions += 1
                    action = tag
                running = [event["n"]]
                self.invocations[event["n"]] = event
            elif kind == "entered":
                if running:
                    running.append(event["n"])
                    self.invocations[event["n"]] = event
            elif kind in ("ended", "left"):
                if "threw" in event:
                    self.invocations[event["n"]]["threw"] = event["threw"]
                if running:
                    running.pop()
            elif kind == "requested":
                self.operations[event["op"]] = event
            elif kind == "completed" or kind == "dropped" and "op" in event:
                if event["op"] in self.operations:
                    self.answered.add(event["op"])
            elif kind == "task" and event["what"] == "RunStart":
                self.tasks.append(event["id"])
            elif kind == "task" and event["what"] == "RunFailure":
                self.failed_tasks += 1
            elif kind == "task" and event["what"] in ("RunSuccess", "Compute"):
                pass
            elif kind in ("observed", "wrote", "lagged", "task") and running:
                self.marks += 1
        self.flows = set()
        for n, event in self.invocations.items():
            for relation in ("cause", "link"):
                source = event[relation]
                if source != n and source in self.invocations:
                    self.flows.add((relation, source, n))


def nested(slices, where):
    """Slices of one track, as (begin, end), must be one in the other or apart."""
    stack = []
    for begin, end in sorted(slices, key=lambda pair: (pair[0], -pair[1])):
        check(begin < end, f"{where}: a slice without length at {begin}")
        while stack and stack[-1] <= begin:
            stack.pop()
        check(not stack or end < stack[-1], f"{where}: slices overlap at {begin}")
        stack.append(end)


def known(message, name):
    """Every field of a message must be one that its tool knows."""
    check(len(UnknownFieldSet(message)) == 0, f"{name}: a field that {message.DESCRIPTOR.name} does not have")
    for field, value in message.ListFields():
        if field.message_type:
            for one in [value] if hasattr(value, "ListFields") else value:
                known(one, name)


def check_perfetto(name, path, trace):
    whole = perfetto.Trace()
    whole.ParseFromString(open(path, "rb").read())
    known(whole, name)
    tracks, names, annotations, categories, locations = {}, {}, {}, {}, {}
    slices, opened, flows_out, flows_in = [], defaultdict(list), {}, {}
    instants, cleared = 0, False
    packets = list(whole.packet)
    for packet in packets:
        check(packet.trusted_packet_sequence_id == 1, f"{name}: a packet of nobody")
        cleared |= packet.sequence_flags & 1 == 1
        for entry in packet.interned_data.event_names:
            names[entry.iid] = entry.name
        for entry in packet.interned_data.debug_annotation_names:
            annotations[entry.iid] = entry.name
        for entry in packet.interned_data.event_categories:
            categories[entry.iid] = entry.name
        for entry in packet.interned_data.source_locations:
            locations[entry.iid] = (entry.file_name, entry.line_number)
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            check(track.uuid not in tracks, f"{name}: two tracks {track.uuid}")
            check(not track.parent_uuid or track.parent_uuid in tracks, f"{name}: a track of no parent")
            tracks[track.uuid] = track
    [process] = [track for track in tracks.values() if track.HasField("process")]
    check(process.process.process_name == f"{name}.js", f"{name}: another name")
    check(process.child_ordering == process.EXPLICIT, f"{name}: lanes without an order")
    ranks = [t.sibling_order_rank for t in tracks.values() if t.parent_uuid == process.uuid]
    check(len(set(ranks)) == len(ranks), f"{name}: lanes of one rank")
    last = 0
    for packet in packets:
        if not packet.HasField("track_event"):
            continue
        check(cleared, f"{name}: names before they may be told")
        check(packet.timestamp >= last, f"{name}: time goes back")
        last = packet.timestamp
        event = packet.track_event
        check(event.track_uuid in tracks, f"{name}: an event on no track")
        if event.type == event.TYPE_SLICE_BEGIN:
            args = {annotations[a.name_iid]: a.uint_value if a.HasField("uint_value") else a.string_value
                    for a in event.debug_annotations}
            one = {"name": names[event.name_iid], "args": args, "begin": packet.timestamp, "end": None,
                   "category": categories[event.category_iids[0]], "track": event.track_uuid}
            if event.source_location_iid:
                one["location"] = locations[event.source_location_iid]
            for flow in event.flow_ids:
                check(flow not in flows_out, f"{name}: flow {flow} begins twice")
                flows_out[flow] = one
            for flow in event.terminating_flow_ids:
                check(flow in flows_out, f"{name}: flow {flow} ends before it begins")
                check(flow not in flows_in, f"{name}: flow {flow} ends twice")
                flows_in[flow] = one
            slices.append(one)
            opened[event.track_uuid].append(one)
        elif event.type == event.TYPE_SLICE_END:
            check(opened[event.track_uuid], f"{name}: an end of nothing")
            opened[event.track_uuid].pop()["end"] = packet.timestamp
        else:
            check(event.type == event.TYPE_INSTANT, f"{name}: an event of type {event.type}")
            instants += 1
    count = lambda category: sum(one["category"] == category for one in slices)
    check(count("action") == trace.actions, f"{name}: {count('action')} actions, not {trace.actions}")
    check(count("callback") == len(trace.invocations), f"{name}: {count('callback')} callbacks")
    check(count("operation") == len(trace.operations), f"{name}: {count('operation')} operations")
    tasks = [one["name"] for one in slices if one["category"] == "task"]
    check(tasks == trace.tasks, f"{name}: the tasks {tasks}, not {trace.tasks}")
    check(instants == trace.marks, f"{name}: {instants} instants, not {trace.marks}")
    callbacks = {one["args"]["invocation"]: one for one in slices if one["category"] == "callback"}
    check(set(callbacks) == set(trace.invocations), f"{name}: other invocations")
    unfinished = [one for one in slices if one["end"] is None]
    check(all(one["category"] == "operation" for one in unfinished), f"{name}: slices without an end")
    open_operations = {one["args"]["operation"] for one in unfinished}
    check(open_operations == set(trace.operations) - trace.answered, f"{name}: other open operations")
    by_track = defaultdict(list)
    for one in slices:
        if one["end"] is not None:
            by_track[one["track"]].append((one["begin"], one["end"]))
    for track, pairs in by_track.items():
        nested(pairs, f"{name}: {tracks[track].name}")
    check(set(flows_out) == set(flows_in), f"{name}: flows with one end")
    found = {("link" if flow & 1 else "cause", flows_out[flow]["args"]["invocation"],
              flows_in[flow]["args"]["invocation"]) for flow in flows_out}
    check(found == trace.flows, f"{name}: other flows: {found ^ trace.flows}")
    for n, event in trace.invocations.items():
        args = callbacks[n]["args"]
        check(args.get("threw", None) == event.get("threw", None), f"{name}: #{n} threw something else")
        if "time" in event:
            check(args["logical_us"] == event["time"], f"{name}: #{n} has another time")
    return len(slices), len(found)


def has_processor():
    """Whether Perfetto's own engine is there, or can be downloaded."""
    program = "from perfetto.trace_processor import TraceProcessor as T; T(trace=None).close()"
    try:
        return subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=120).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def check_processor(path, slices, flows, instants):
    """The same counts by Perfetto's own engine."""
    from perfetto.trace_processor import TraceProcessor

    with TraceProcessor(trace=path) as processor:
        one = lambda query: next(iter(processor.query(query))).n
        check(one("select count(*) as n from slice") == slices + instants, "trace_processor: other slices")
        check(one("select count(*) as n from flow") == flows, "trace_processor: other flows")
        errors = one("select coalesce(sum(value), 0) as n from stats where severity = 'error'")
        check(errors == 0, "trace_processor: it reports errors")


def check_chrome(name, path, trace):
    events = json.load(open(path, encoding="utf-8"))
    check(isinstance(events, list), f"{name}: no array")
    threads = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    complete = [e for e in events if e["ph"] == "X"]
    by_thread = defaultdict(list)
    nanos = lambda micros: round(micros * 1000)
    for e in complete:
        check(e["tid"] in threads, f"{name}: a slice on no thread")
        e["begin"] = nanos(e["ts"])
        e["end"] = e["begin"] + nanos(e["dur"])
        by_thread[e["tid"]].append(e)
    for thread, slices in by_thread.items():
        nested([(e["begin"], e["end"]) for e in slices], f"{name}: {threads[thread]}")
    callbacks = [e for e in complete if e["cat"] == "callback"]
    check({e["args"]["invocation"] for e in callbacks} == set(trace.invocations), f"{name}: other callbacks")
    check(len(complete) - len(callbacks) == trace.actions, f"{name}: other actions")

    def around(event):
        at = nanos(event["ts"])
        slices = [e for e in by_thread[event["tid"]] if e["begin"] <= at < e["end"]]
        return max(slices, key=lambda e: e["begin"])["args"]["invocation"]

    ends = {(e["cat"], e["id"]): e for e in events if e["ph"] == "f"}
    found = {(e["cat"], around(e), around(ends[e["cat"], e["id"]])) for e in events if e["ph"] == "s"}
    check(len(ends) == sum(e["ph"] == "s" for e in events), f"{name}: flows with one end")
    check(found == trace.flows, f"{name}: other flows: {found ^ trace.flows}")
    begun = {e["id"]: e for e in events if e["ph"] == "b" and e["cat"] == "operation"}
    ended = {e["id"]: e for e in events if e["ph"] == "e" and e["cat"] == "operation"}
    check(set(begun) == set(trace.operations), f"{name}: other operations")
    check(set(ended) == trace.answered, f"{name}: other answers")
    check(all(begun[i]["ts"] < ended[i]["ts"] for i in ended), f"{name}: answers before requests")
    tasks = {e["id"]: e for e in events if e["ph"] == "e" and e["cat"] == "task"}
    check(len(tasks) == len(trace.tasks), f"{name}: other tasks")
    failed = sum("failed" in e["args"] for e in tasks.values())
    check(failed == trace.failed_tasks, f"{name}: other tasks failed")
    check(sum(e["ph"] == "i" for e in events) == trace.marks, f"{name}: other instants")


def check_otlp(name, texts, trace):
    spans = {}
    for text in texts:
        request = json.loads(text)
        # In OTLP the bytes of ids are hexadecimal; in the general mapping they are base64.
        raw = [s for r in request["resourceSpans"] for scope in r["scopeSpans"] for s in scope["spans"]]
        for span in raw:
            for place in [span, *span.get("links", [])]:
                for key in ("traceId", "spanId", "parentSpanId"):
                    if key in place:
                        value = bytes.fromhex(place[key])
                        check(place[key] == place[key].lower(), f"{name}: an id in capitals")
                        place[key] = base64.b64encode(value).decode()
            check(isinstance(span["startTimeUnixNano"], str), f"{name}: a time is no text")
        message = json_format.ParseDict(request, ExportTraceServiceRequest())
        for resource in message.resource_spans:
            check(any(a.key == "service.name" for a in resource.resource.attributes), f"{name}: no service")
            for scope in resource.scope_spans:
                for span in scope.spans:
                    check(len(span.trace_id) == 16 and any(span.trace_id), f"{name}: a bad trace id")
                    check(len(span.span_id) == 8 and any(span.span_id), f"{name}: a bad span id")
                    check(span.span_id not in spans, f"{name}: two spans with one id")
                    spans[span.span_id] = span
    attribute = lambda span, key: next((a.value.int_value for a in span.attributes if a.key == key), None)
    # A request is around its first callback, and in nothing.
    requests = {key: span for key, span in spans.items() if attribute(span, "hemiola.request") is not None}
    for key, span in requests.items():
        check(not span.parent_span_id and span.kind == 2, f"{name}: a request within something")
        inside = [one for one in spans.values() if one.parent_span_id == key]
        check(len(inside) == 1, f"{name}: a request without its callback")
    first = {span.span_id: span for span in spans.values() if span.parent_span_id in requests}
    spans = {key: span for key, span in spans.items() if key not in requests}
    number = {key: attribute(span, "hemiola.invocation") for key, span in spans.items()}
    check(set(number.values()) == set(trace.invocations), f"{name}: other spans")
    check(len({span.trace_id for span in spans.values()}) <= 1, f"{name}: more than one trace")
    found = set()
    for key, span in spans.items():
        check(span.start_time_unix_nano < span.end_time_unix_nano, f"{name}: a span without length")
        if key in first:
            found.update(flow for flow in trace.flows if flow[0] == "cause" and flow[2] == number[key])
        elif span.parent_span_id:
            found.add(("cause", number[span.parent_span_id], number[key]))
        for link in span.links:
            check(link.trace_id == span.trace_id, f"{name}: a link to another trace")
            found.add(("link", number[link.span_id], number[key]))
        threw = trace.invocations[number[key]].get("threw")
        check((span.status.code == 2) == (threw is not None), f"{name}: another status")
    check(found == trace.flows, f"{name}: other relations: {found ^ trace.flows}")
    actions = {attribute(span, "hemiola.action") for span in spans.values()}
    check(actions == set(range(1, trace.actions + 1)), f"{name}: other actions")


class Receiver(http.server.BaseHTTPRequestHandler):
    """Takes what an exporter sends."""

    bodies = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        good = self.path == "/v1/traces" and self.headers["Content-Type"] == "application/json"
        # Before the answer: whoever sent it may be gone with that, and its spans are looked at.
        if good:
            Receiver.bodies.append(body.decode())
        self.send_response(200 if good else 400)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def main():
    server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{server.server_port}"
    engine = has_processor()
    with tempfile.TemporaryDirectory() as room:
        environment = {**os.environ, "HEMIOLA_RUNS": os.path.join(room, "runs")}

        def hemiola(*words):
            done = subprocess.run([HEMIOLA, *words], cwd=room, env=environment, capture_output=True)
            check(done.returncode == 0, f"hemiola {' '.join(words)}: {done.stderr.decode()}")
            return done.stdout

        total = [0, 0]
        for name, text in PROGRAMS.items():
            program = os.path.join(room, f"{name}.js")
            with open(program, "w", encoding="utf-8") as file:
                file.write(text)
            hemiola("run", "--record", program)
            export = lambda form: hemiola("trace", "export", "--to", form, "--out", f"{name}.{form}")
            for form in ("jsonl", "perfetto", "chrome", "otlp"):
                export(form)
                path = os.path.join(room, f"{name}.{form}")
                first = open(path, "rb").read()
                export(form)
                check(open(path, "rb").read() == first, f"{name}: two exports to {form} differ")
            path = lambda form: os.path.join(room, f"{name}.{form}")
            trace = Trace(open(path("jsonl"), encoding="utf-8"))
            slices, flows = check_perfetto(name, path("perfetto"), trace)
            if engine:
                check_processor(path("perfetto"), slices, flows, trace.marks)
            check_chrome(name, path("chrome"), trace)
            check_otlp(name, open(path("otlp"), encoding="utf-8"), trace)
            Receiver.bodies.clear()
            hemiola("trace", "export", "--to", "otlp", "--endpoint", endpoint)
            check_otlp(name, Receiver.bodies, trace)
            total = [total[0] + slices, total[1] + flows]
    reader = "trace_processor, and " if engine else ""
    print(f"exports: {total[0]} slices and {total[1]} flows, read by {reader}the definitions of their tools")


main()
