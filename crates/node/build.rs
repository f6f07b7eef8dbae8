//! Compiles the library, which is in the folders `lib/` of its subjects, to bytecode, one function for each file.
#![expect(clippy::disallowed_methods, reason = "a build script reads files and the environment")]
#![expect(unsafe_code, reason = "the bindings write bytecode of modules, not of scripts")]

use hemiola_transform::{Goal, KEPT, KEPT_IN, Language, harden, transform};
use rquickjs::{Context, Runtime, qjs};
use std::error::Error;
use std::ffi::CString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Files that run before anything is kept.
const UNKEPT: [&str; 2] = ["internal/bootstrap", KEPT_IN];

/// The runtime's context object.
const CONTEXT: &str = "internal/context";

fn main() -> Result<(), Box<dyn Error>> {
    let subjects = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("src");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut named = Vec::new();
    for subject in fs::read_dir(subjects)? {
        let lib = subject?.path().join("lib");
        if !lib.is_dir() {
            continue;
        }
        println!("cargo::rerun-if-changed={}", lib.display());
        let mut files = Vec::new();
        collect(&lib, &mut files)?;
        for file in files {
            let name = file.strip_prefix(&lib)?.with_extension("");
            named.push((name.to_str().ok_or("a library file's name is text")?.to_owned(), file));
        }
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

/// The bytecode of a script whose value is the file's body as a function.
///
/// A script and not a module: to link and evaluate a module costs as much as reading it.
fn compile(name: &str, source: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let engine = Context::full(&Runtime::new()?)?;
    // The text of a function is only looked at to tell a class from others.
    let strip = if source.contains("class ") { 0 } else { qjs::JS_WRITE_OBJ_STRIP_SOURCE };
    // What a program calls may wait, and goes on in the program's context.
    let hardened = if UNKEPT.contains(&name) { source.to_owned() } else { harden(source)? };
    let (code, context) = if name == CONTEXT {
        // What the transform puts calls of into all others.
        (hardened.as_str().into(), None)
    } else {
        let transformed = transform(&hardened, Language::JavaScript, Goal::CommonJs, &[])?;
        (transformed.code, transformed.context)
    };
    let kept = hardened != source;
    let kept = if kept { format!("const {KEPT}=require('{KEPT_IN}');") } else { String::new() };
    let declaration = context.map(|name| format!("const {name}=require('{CONTEXT}');"));
    // On one line, so that positions are those of the file.
    let source = CString::new(format!(
        "(function(exports,require,module,binding){{'use strict';{kept}{}{}\n}})",
        declaration.unwrap_or_default(),
        code
    ))?;
    let file = CString::new(format!("node:lib/{name}"))?;
    engine.with(|ctx| {
        let raw = ctx.as_raw().as_ptr();
        let flags = qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_COMPILE_ONLY;
        // SAFETY: the context is alive, the source ends with a zero that is not counted, and what the
        // engine allocates is freed after it was copied.
        let bytes = unsafe {
            let text = source.as_bytes();
            let length = text.len() as _;
            let code = qjs::JS_Eval(raw, source.as_ptr(), length, file.as_ptr(), flags as i32);
            if qjs::JS_IsException(code) {
                None
            } else {
                let mut length = 0;
                let flags = qjs::JS_WRITE_OBJ_BYTECODE | strip;
                let bytes = qjs::JS_WriteObject(raw, &mut length, code, flags as i32);
                qjs::JS_FreeValue(raw, code);
                let copy = std::slice::from_raw_parts(bytes, length as usize).to_vec();
                qjs::js_free(raw, bytes.cast());
                Some(copy)
            }
        };
        bytes.ok_or_else(|| {
            let error = ctx.catch();
            let message = error.as_exception().and_then(|one| one.message());
            let place = error.as_exception().and_then(|one| one.stack());
            format!("{name}.js: {} {}", message.unwrap_or_default(), place.unwrap_or_default())
                .into()
        })
    })
}
