//! Compiles the library in `lib/` to bytecode, one module for each file.

#![expect(clippy::disallowed_methods, reason = "a build script reads files and the environment")]

use rquickjs::{Context, Module, Runtime, WriteOptions};
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let lib = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("lib");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed={}", lib.display());
    let mut files = Vec::new();
    collect(&lib, &mut files)?;
    let mut named = Vec::new();
    for file in files {
        let name = file.strip_prefix(&lib)?.with_extension("");
        named.push((name.to_str().ok_or("a library file's name is text")?.to_owned(), file));
    }
    // By name: the library is searched by halves.
    named.sort();
    let mut table = String::from("&[\n");
    for (name, file) in named {
        let code = compile(&name, &fs::read_to_string(&file)?)?;
        let path = out.join(format!("{}.bytecode", name.replace('/', "-")));
        fs::write(&path, code)?;
        writeln!(table, "    ({name:?}, include_bytes!({path:?})),")?;
    }
    table.push_str("]\n");
    fs::write(out.join("library.rs"), table)?;
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "js") {
            files.push(path);
        }
    }
    Ok(())
}

/// The bytecode of a module whose default export is the file's body as a function.
fn compile(name: &str, source: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let context = Context::full(&Runtime::new()?)?;
    context.with(|ctx| {
        // On one line, so that positions are those of the file.
        let source =
            format!("export default function(exports,require,module,binding){{{source}\n}}");
        let written = Module::declare(ctx.clone(), format!("node:lib/{name}"), source)
            .and_then(|module| module.write(WriteOptions::default()));
        written.map_err(|_| {
            let error = ctx.catch();
            let message = error.as_exception().and_then(|one| one.message());
            let place = error.as_exception().and_then(|one| one.stack());
            format!("{name}.js: {} {}", message.unwrap_or_default(), place.unwrap_or_default())
                .into()
        })
    })
}
