//! Which programs a program may start.

use super::files::{self, Guide};
use super::{Ask, Known, Names, Permissions, Scope};
use crate::need::{Access, Last};
use crate::program::{Program, Settled};
use crate::value::{Datum, Fault};
use std::path::{Path, PathBuf};

/// Where a file without a path is looked for when there is no PATH.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// Refuses a program that may not be started.
pub(super) fn check(
    permissions: &Permissions,
    program: &Program,
    known: &Known,
    ask: &mut Ask<'_>,
) -> Result<(), Fault> {
    let names = &permissions.run;
    if *names == Names::All {
        program.settle(Settled { file: None, permissions: permissions.to_text() });
        return Ok(());
    }
    let field = |name: &str| program.field(name);
    let text = |name: &str| match field(name) {
        Some(Datum::Text(text)) => text.as_str(),
        _ => "",
    };
    let variables: &[Datum] = match field("env") {
        Some(Datum::List(variables)) => variables,
        _ => &[],
    };
    let variables = variables.iter().filter_map(|pair| match pair {
        Datum::Text(pair) => pair.split_once('='),
        _ => None,
    });
    let mut path = None;
    for (name, value) in variables {
        // These make a program run other code than its own.
        if name.starts_with("LD_") || name.starts_with("DYLD_") {
            let message = format!(
                "Access to this API has been restricted. Use --allow-run to manage permissions: \
                 {name} can make a program run any code, and needs --allow-run without a list"
            );
            let refused = Scope::Run.refused(name.as_bytes());
            return Err(Fault { message: message.into(), ..refused });
        }
        if name == "PATH" {
            path = Some(value);
        }
    }
    // Where nothing is, nothing can be started: that would tell what there is.
    let cwd = text("cwd");
    if !cwd.is_empty() && !known.is_start(cwd) {
        files::check(permissions, Access::Read, &Path::new(cwd).into(), Last::Followed, ask)?;
    }
    let file = text("file");
    let found = find(file, path, cwd, ask);
    match found.filter(|found| is_meant(names, found)) {
        // What was found is what is started, whatever its name stands for by then.
        Some(found) => {
            program.settle(Settled { file: Some(found), permissions: permissions.to_text() });
            Ok(())
        }
        None => Err(Scope::Run.refused(file.as_bytes())),
    }
}

/// Whether what the file is, once it is found, may be started.
pub(super) fn allows(names: &Names, file: &str, cwd: &str, ask: &mut Ask<'_>) -> bool {
    *names == Names::All || find(file, None, cwd, ask).is_some_and(|found| is_meant(names, &found))
}

/// The program that a file means, without links.
fn find(file: &str, path: Option<&str>, cwd: &str, ask: &mut Ask<'_>) -> Option<PathBuf> {
    let mut real = |file: &Path| ask.real_path(&Path::new(cwd).join(file));
    if file.contains('/') {
        real(Path::new(file))
    } else {
        path.unwrap_or(DEFAULT_PATH).split(':').find_map(|part| real(&Path::new(part).join(file)))
    }
}

fn is_meant(names: &Names, program: &Path) -> bool {
    names.any(|allowed| Path::new(allowed) == program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grant::Grant;

    /// A program in a directory where `tool` is a link to `echo`.
    fn started(names: &[&str], file: &str, env: &[&str]) -> Result<Program, Fault> {
        started_with(Grant::All, names, file, env)
    }

    fn started_with(
        read: Grant,
        names: &[&str],
        file: &str,
        env: &[&str],
    ) -> Result<Program, Fault> {
        let text = |text: &str| Datum::Text(text.into());
        let env = env.iter().map(|pair| text(pair)).collect();
        let fields = [("file", text(file)), ("cwd", text("/work")), ("env", Datum::List(env))];
        let fields = fields.map(|(name, value)| (name.to_owned(), value));
        let program = Program::from(Datum::Record(fields.into()));
        let run = Names::Only(names.iter().map(|name| (*name).to_owned()).collect());
        let permissions = Permissions { run, read, ..Permissions::default() };
        let mut ask = |asked: crate::Checked| match asked.request().to_wire().first() {
            Some(Datum::Bytes(path)) if path == b"/work/./tool" || path == b"/bin/echo" => {
                Ok(text("/bin/echo"))
            }
            _ => Err(Fault::system(2, "realpath")),
        };
        check(&permissions, &program, &Known::default(), &mut ask).map(|()| program)
    }

    #[test]
    fn what_was_found_is_what_is_started() {
        for file in ["./tool", "/bin/echo", "echo"] {
            let program = started(&["/bin/echo"], file, &[]).expect("it is allowed");
            assert_eq!(program.file(), Path::new("/bin/echo"), "{file}");
            let inherited = program.permissions().and_then(Permissions::from_text);
            let run = inherited.expect("it is told what it may do").run;
            assert_eq!(run, Names::Only(vec!["/bin/echo".into()]));
            // What the program said is what is written down.
            assert_eq!(program.field("file"), Some(&Datum::Text(file.into())));
        }
        for (file, env) in [("/bin/ls", ""), ("echo", "PATH=/elsewhere"), ("echo", "LD_PRELOAD=x")]
        {
            let fault = started(&["/bin/echo"], file, &[env]).expect_err("it is not allowed");
            assert_eq!(&*fault.code, "ERR_ACCESS_DENIED", "{file} {env}");
        }
    }

    /// Where a program is started is looked at as files are.
    #[test]
    fn a_directory_that_may_not_be_read_is_none_to_start_in() {
        let under = |root: &str| Grant::Under(vec![root.into()]);
        let refused = started_with(under("/elsewhere"), &["/bin/echo"], "/bin/echo", &[]);
        let fault = refused.expect_err("it is not allowed");
        assert_eq!(&*fault.code, "ERR_ACCESS_DENIED");
        assert!(fault.message.contains("--allow-read"), "{}", fault.message);
        assert!(started_with(under("/work"), &["/bin/echo"], "/bin/echo", &[]).is_ok());
    }
}
