//! Which programs a program may start.

use super::files::real_path;
use super::{Ask, Names, Scope};
use crate::value::{Datum, Fault};
use std::path::Path;

/// Where a file without a path is looked for when there is no PATH.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// Refuses a program that may not be started.
pub(super) fn check(names: &Names, program: &Datum, ask: &mut Ask<'_>) -> Result<(), Fault> {
    if *names == Names::All {
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
    let file = text("file");
    if allows(names, file, path, text("cwd"), ask) {
        Ok(())
    } else {
        Err(Scope::Run.refused(file.as_bytes()))
    }
}

/// Whether what the file is, once it is found, may be started.
pub(super) fn allows(
    names: &Names,
    file: &str,
    path: Option<&str>,
    cwd: &str,
    ask: &mut Ask<'_>,
) -> bool {
    if *names == Names::All {
        return true;
    }
    let mut real = |file: &Path| real_path(&Path::new(cwd).join(file), ask);
    let found = if file.contains('/') {
        real(Path::new(file))
    } else {
        path.unwrap_or(DEFAULT_PATH).split(':').find_map(|part| real(&Path::new(part).join(file)))
    };
    found.is_some_and(|found| names.any(|allowed| Path::new(allowed) == found))
}
