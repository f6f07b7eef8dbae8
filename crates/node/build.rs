//! Compiles the library, which is in the folders `lib/` of its subjects, to bytecode, one function for each file.
#![expect(clippy::disallowed_methods, reason = "a build script reads files and the environment")]
#![expect(unsafe_code, reason = "the bindings write bytecode of modules, not of scripts")]

use hemiola_transform::{Goal, Hardened, KEPT, KEPT_IN, Language, harden, transform};
use rquickjs::{Context, Runtime, qjs};
use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::CString;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Files that run before anything is kept.
const UNKEPT: [&str; 2] = ["internal/bootstrap", KEPT_IN];

/// Files that every program loads, in this order.
const START: [&str; 9] = [
    "internal/bootstrap",
    "internal/kept",
    "internal/stack",
    "internal/context",
    "internal/timers",
    "internal/process",
    "internal/clock",
    "internal/modules/main",
    "internal/modules",
];

/// The runtime's context object.
const CONTEXT: &str = "internal/context";

fn main() -> Result<(), Box<dyn Error>> {
    let subjects = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("src");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    // By name: the library is searched by halves.
    let mut named = BTreeMap::new();
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
            let name = name.to_str().ok_or("a library file's name is text")?.to_owned();
            named.insert(name, file);
        }
    }
    let all_kept = fs::read_to_string(named.get(KEPT_IN).ok_or("nothing is kept")?)?;
    let mut bytecode = Vec::new();
    let mut places = BTreeMap::new();
    for name in START.into_iter().chain(named.keys().map(String::as_str)) {
        if places.contains_key(name) {
            continue;
        }
        let file = named.get(name).ok_or_else(|| format!("there is no {name}.js"))?;
        let start = bytecode.len();
        bytecode.extend(compile(name, &fs::read_to_string(file)?, &all_kept)?);
        places.insert(name, start..bytecode.len());
    }
    let mut names = String::new();
    let mut table = String::from("&[\n");
    for (name, Range { start, end }) in places {
        names.push_str(name);
        let name_end = names.len();
        writeln!(table, "    File {{ name_end: {name_end}, start: {start}, end: {end} }},")?;
    }
    table.push_str("]\n");
    fs::write(out.join("library.rs"), table)?;
    fs::write(out.join("library.names"), names)?;
    fs::write(out.join("library.bytecode"), bytecode)?;
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

/// Whether the file with all that is kept names a function of the language, such as `Object.keys`.
fn is_kept(name: &str, all_kept: &str) -> bool {
    let own = name.split('.').next_back().unwrap_or_default();
    all_kept.contains(&format!(" {own}: {name},")) || all_kept.contains(&format!(" {own}: {name} "))
}

/// The bytecode of a script whose value is the file's body as a function.
///
/// A script and not a module: to link and evaluate a module costs as much as reading it.
fn compile(name: &str, source: &str, all_kept: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let engine = Context::full(&Runtime::new()?)?;
    // The text of a function is only looked at to tell a class from others.
    let strip = if source.contains("class ") { 0 } else { qjs::JS_WRITE_OBJ_STRIP_SOURCE };
    // What a program calls may wait, and goes on in the program's context.
    let hardened = if UNKEPT.contains(&name) {
        source.to_owned()
    } else {
        let Hardened { code, kept } = harden(source)?;
        if let Some(missing) = kept.iter().find(|name| !is_kept(name, all_kept)) {
            return Err(
                format!("{name}.js needs {missing}, which {KEPT_IN}.js does not keep").into()
            );
        }
        code
    };
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
