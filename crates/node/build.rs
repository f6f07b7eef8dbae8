//! Compiles the library, which is in the folders `lib/` of its subjects, to bytecode, one function for each file.
#![expect(clippy::disallowed_methods, reason = "a build script reads files and the environment")]
#![expect(unsafe_code, reason = "the bindings write bytecode of modules, not of scripts")]

use hemiola_transform::{Goal, Hardened, KEPT, KEPT_IN, LATE, Language, harden, transform};
use rquickjs::object::Filter;
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

/// Files that every program loads, in this order: they are read at once.
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

/// Globals of the engine that are no part of the language: the library has something of its own for them.
const OF_THE_WEB: [&str; 5] = ["DOMException", "atob", "btoa", "performance", "queueMicrotask"];

/// Those of the language that nobody can replace, that mean something by their names, or that are kept otherwise.
const FIXED: [&str; 6] = ["Infinity", "NaN", "undefined", "eval", "globalThis", LATE];

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
    let language = names_of_the_language()?;
    fs::write(out.join("language.names"), language.join(" "))?;
    let kept = kept_names(&all_kept).ok_or("no names of the language are kept")?;
    // The engine has grown by one: whoever takes it away takes it from the library as well.
    let is_missing = |name: &&String| !FIXED.contains(&name.as_str()) && !kept.contains(name);
    if let Some(name) = language.iter().find(is_missing) {
        return Err(format!("{KEPT_IN}.js does not keep {name}").into());
    }
    let compiled = |name: &str| -> Result<Vec<u8>, Box<dyn Error>> {
        let file = named.get(name).ok_or_else(|| format!("there is no {name}.js"))?;
        compile(name, &fs::read_to_string(file)?, &all_kept, &kept)
    };
    let first = START.map(compiled).into_iter().collect::<Result<Vec<_>, _>>()?;
    fs::write(out.join("start.bytecode"), as_one(&first)?)?;
    fs::write(out.join("start.rs"), format!("{START:?}"))?;
    let mut bytecode = Vec::new();
    let mut places = BTreeMap::new();
    for name in named.keys().map(String::as_str).filter(|name| !START.contains(name)) {
        let start = bytecode.len();
        bytecode.extend(compiled(name)?);
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

/// The names that the file with all that is kept keeps by their places.
fn kept_names(all_kept: &str) -> Option<Vec<String>> {
    let (_, list) = all_kept.split_once(" language: [")?;
    let (list, _) = list.split_once(']')?;
    Some(
        list.split(',')
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
            .collect(),
    )
}

/// The globals that the language has.
fn names_of_the_language() -> Result<Vec<String>, Box<dyn Error>> {
    let names = Context::full(&Runtime::new()?)?.with(|ctx| {
        let all = ctx.globals().own_keys::<String>(Filter::new().string());
        all.collect::<rquickjs::Result<Vec<_>>>()
    })?;
    Ok(names.into_iter().filter(|name| !OF_THE_WEB.contains(&name.as_str())).collect())
}

/// The bytecode of several scripts as that of an array of them. What they name is read once, and not with each.
fn as_one(scripts: &[Vec<u8>]) -> Result<Vec<u8>, Box<dyn Error>> {
    Context::full(&Runtime::new()?)?.with(|ctx| {
        let raw = ctx.as_raw().as_ptr();
        // SAFETY: the context is alive, the bytes are what the same engine wrote, and the array takes over what is
        // read of them.
        unsafe {
            let array = qjs::JS_NewArray(raw);
            for (place, script) in (0..).zip(scripts) {
                let flags = qjs::JS_READ_OBJ_BYTECODE as i32;
                let script = qjs::JS_ReadObject(raw, script.as_ptr(), script.len() as _, flags);
                qjs::JS_SetPropertyUint32(raw, array, place, script);
            }
            written(raw, array, 0)
        }
        .ok_or_else(|| "the files of the start cannot be written".into())
    })
}

/// What the engine writes of a value that holds code, which is given back to the engine.
///
/// # Safety
///
/// The context is alive, and the value is its own.
unsafe fn written(ctx: *mut qjs::JSContext, value: qjs::JSValue, strip: u32) -> Option<Vec<u8>> {
    // SAFETY: the caller's; what the engine allocates is freed after it was copied.
    unsafe {
        let mut length = 0;
        let flags = qjs::JS_WRITE_OBJ_BYTECODE | strip;
        let bytes = qjs::JS_WriteObject(ctx, &mut length, value, flags as i32);
        qjs::JS_FreeValue(ctx, value);
        if bytes.is_null() {
            return None;
        }
        let copy = std::slice::from_raw_parts(bytes, length as usize).to_vec();
        qjs::js_free(ctx, bytes.cast());
        Some(copy)
    }
}

/// The bytecode of a script whose value is the file's body as a function.
///
/// A script and not a module: to link and evaluate a module costs as much as reading it.
fn compile(
    name: &str,
    source: &str,
    all_kept: &str,
    language: &[String],
) -> Result<Vec<u8>, Box<dyn Error>> {
    let engine = Context::full(&Runtime::new()?)?;
    // The text of a function is only looked at to tell a class from others.
    let strip = if source.contains("class ") { 0 } else { qjs::JS_WRITE_OBJ_STRIP_SOURCE };
    // What a program calls may wait, and goes on in the program's context.
    let hardened = if UNKEPT.contains(&name) {
        source.to_owned()
    } else {
        let Hardened { code, kept } = harden(source, language)?;
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
        // SAFETY: the context is alive, and the source ends with a zero that is not counted.
        let bytes = unsafe {
            let text = source.as_bytes();
            let length = text.len() as _;
            let code = qjs::JS_Eval(raw, source.as_ptr(), length, file.as_ptr(), flags as i32);
            if qjs::JS_IsException(code) { None } else { written(raw, code, strip) }
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
