//! The structures here and the engine's own, compared by the C compiler.
#![expect(clippy::disallowed_methods, reason = "the test asks cargo and the C compiler")]

use super::*;
use rquickjs::context::EvalOptions;
use rquickjs::{Context, Runtime, Value};
use std::io::Write as _;
use std::mem::offset_of;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What must hold in C, each a line of it.
struct Claims(String);

impl Claims {
    fn equal(&mut self, own: impl std::fmt::Display, theirs: &str) {
        self.0 += &format!("_Static_assert({theirs} == {own}, \"{theirs} is not {own}\");\n");
    }
}

/// Claims that a struct is the engine's as far as it goes, or as a `whole`. All of its fields must be
/// named, each with the engine's name for it; bits have no address in C, and `""` as name.
macro_rules! same {
    ($claims:ident, whole $own:ident, $theirs:literal, { $($field:ident: $name:literal,)* }) => {
        same!($claims, $own, $theirs, { $($field: $name,)* });
        $claims.equal(size_of::<$own>(), concat!("sizeof(", $theirs, ")"));
    };
    ($claims:ident, $own:ident, $theirs:literal, { $($field:ident: $name:literal,)* }) => {
        $(if !$name.is_empty() {
            let size = size_of_field(|$own { $field, .. }: &$own| $field);
            $claims.equal(offset_of!($own, $field), concat!("offsetof(", $theirs, ", ", $name, ")"));
            $claims.equal(size, concat!("sizeof(((", $theirs, " *) 0)->", $name, ")"));
        })*
        let _all = |$own { $($field: _,)* }: $own| ();
    };
}

fn size_of_field<S, F>(_: fn(&S) -> &F) -> usize {
    size_of::<F>()
}

fn claims() -> String {
    let mut claims = Claims(String::new());
    same!(claims, whole StackFrame, "JSStackFrame", {
        previous: "prev_frame",
        function: "cur_func",
        arguments: "arg_buf",
        variables: "var_buf",
        references: "var_refs",
        pc: "cur_pc",
        reference_count: "var_ref_count",
        argument_count: "arg_count",
        is_strict: "is_strict_mode",
        is_constructor: "is_constructor",
        sp: "cur_sp",
        owner: "cur_gc_obj",
    });
    same!(claims, whole FunctionObject, "JSObject", {
        link: "header.link",
        flags: "",
        class: "class_id",
        shape: "shape",
        properties: "prop",
        weak: "first_weak_ref",
        code: "u.func.function_bytecode",
        references: "u.func.var_refs",
        home: "u.func.home_object",
    });
    same!(claims, whole ArrayObject, "JSObject", {
        link: "header.link",
        flags: "",
        class: "class_id",
        shape: "shape",
        properties: "prop",
        weak: "first_weak_ref",
        room: "u.array.u1",
        values: "u.array.u.values",
        count: "u.array.count",
    });
    same!(claims, NativeObject, "JSObject", {
        link: "header.link",
        flags: "",
        class: "class_id",
        shape: "shape",
        properties: "prop",
        weak: "first_weak_ref",
        realm: "u.cfunc.realm",
        function: "u.cfunc.c_function",
    });
    same!(claims, whole Shape, "JSShape", {
        link: "header.link",
        is_hashed: "is_hashed",
        hash: "hash",
        mask: "prop_hash_mask",
        room: "prop_size",
        count: "prop_count",
        deleted: "deleted_prop_count",
        next: "shape_hash_next",
        prototype: "proto",
    });
    same!(claims, whole ShapeProperty, "JSShapeProperty", {
        bits: "",
        name: "atom",
    });
    same!(claims, whole Text, "JSString", {
        length: "",
        bits: "",
        next: "hash_next",
        weak: "first_weak_ref",
    });
    claims.equal(ARRAY, "JS_CLASS_ARRAY");
    claims.equal(size_of::<JSValue>(), "sizeof(JSProperty)");
    claims.equal(Text::SLICE, "JS_STRING_KIND_SLICE");
    claims.equal(Text::INDIRECT, "JS_STRING_KIND_INDIRECT");
    same!(claims, Code, "JSFunctionBytecode", {
        link: "header.link",
        flags: "",
        bytes: "byte_code_buf",
        length: "byte_code_len",
        name: "func_name",
        variables: "vardefs",
        captured: "closure_var",
        argument_count: "arg_count",
        variable_count: "var_count",
        defined_argument_count: "defined_arg_count",
        stack_size: "stack_size",
        reference_count: "var_ref_count",
        captured_count: "closure_var_count",
        constant_count: "cpool_count",
        realm: "realm",
        constants: "cpool",
        file: "filename",
        line: "line_num",
        column: "col_num",
        source_length: "source_len",
        places_length: "pc2line_len",
        places: "pc2line_buf",
    });
    same!(claims, whole Variable, "JSVarDef", {
        name: "var_name",
        scope: "scope_level",
        next: "scope_next",
        flags: "",
        reference: "var_ref_idx",
        pool: "func_pool_idx",
    });
    same!(claims, whole Captured, "JSClosureVar", {
        flags: "",
        index: "var_idx",
        name: "var_name",
    });
    same!(claims, Reference, "JSVarRef", {
        link: "header.link",
        flags: "",
        value: "pvalue",
    });
    same!(claims, whole List, "struct list_head", {
        previous: "prev",
        next: "next",
    });
    same!(claims, whole Record, "JSMapRecord", {
        references: "ref_count",
        is_deleted: "empty",
        map: "map",
        link: "link",
        hash_link: "hash_link",
        key: "key",
        value: "value",
    });
    same!(claims, Entries, "JSMapState", {
        is_weak: "is_weak",
        records: "records",
    });
    same!(claims, whole Position, "JSMapIteratorData", {
        collection: "obj",
        kind: "kind",
        current: "cur_record",
    });
    same!(claims, whole Class, "JSClass", {
        id: "class_id",
        name: "class_name",
        finalizer: "finalizer",
        mark: "gc_mark",
        call: "call",
        exotic: "exotic",
    });
    same!(claims, whole Coroutine, "JSAsyncFunctionState", {
        this: "this_val",
        argument_count: "argc",
        throws: "throw_flag",
        frame: "frame",
    });
    same!(claims, whole AsyncCall, "JSAsyncFunctionData", {
        link: "header.link",
        resolving: "resolving_funcs",
        is_active: "is_active",
        state: "func_state",
    });
    same!(claims, whole Promised, "JSPromiseData", {
        state: "promise_state",
        reactions: "promise_reactions",
        is_handled: "is_handled",
        result: "promise_result",
    });
    same!(claims, whole Reaction, "JSPromiseReactionData", {
        link: "link",
        resolving: "resolving_funcs",
        handler: "handler",
    });
    same!(claims, whole Resolving, "JSPromiseFunctionData", {
        promise: "promise",
        resolved: "presolved",
    });
    same!(claims, whole Resolved, "JSPromiseFunctionDataResolved", {
        references: "ref_count",
        is_used: "already_resolved",
    });
    same!(claims, Job, "JSJobEntry", {
        link: "link",
        context: "ctx",
        function: "job_func",
        count: "argc",
        values: "",
    });
    claims.equal(offset_of!(Job, values), "offsetof(JSJobEntry, argv)");
    same!(claims, DataFunction, "JSCFunctionDataRecord", {
        function: "func",
        length: "length",
        count: "data_len",
        magic: "magic",
        data: "",
    });
    claims.equal(offset_of!(DataFunction, data), "offsetof(JSCFunctionDataRecord, data)");
    same!(claims, Bound, "JSBoundFunction", {
        function: "func_obj",
        this: "this_val",
    });
    claims.equal(BOUND_FUNCTION, "JS_CLASS_BOUND_FUNCTION");
    claims.equal(DATA_FUNCTION, "JS_CLASS_C_FUNCTION_DATA");
    claims.equal(PROXY, "JS_CLASS_PROXY");
    claims.equal(PROMISE, "JS_CLASS_PROMISE");
    claims.equal(RESOLVE, "JS_CLASS_PROMISE_RESOLVE_FUNCTION");
    claims.equal(RESOLVE + 1, "JS_CLASS_PROMISE_REJECT_FUNCTION");
    claims.equal(ASYNC_RESUME, "JS_CLASS_ASYNC_FUNCTION_RESOLVE");
    claims.equal(ASYNC_CALL, "JS_GC_OBJ_TYPE_ASYNC_FUNCTION");
    claims.equal(0, "PROMISE_MAGIC_all");
    claims.equal(1, "PROMISE_MAGIC_allSettled");
    claims.equal(2, "PROMISE_MAGIC_any");
    claims.equal(PLAIN, "JS_CLASS_OBJECT");
    claims.equal(MODULE_NAMESPACE, "JS_CLASS_MODULE_NS");
    claims.equal(ARRAY_BUFFER, "JS_CLASS_ARRAY_BUFFER");
    claims.equal(SHARED_ARRAY_BUFFER, "JS_CLASS_SHARED_ARRAY_BUFFER");
    claims.equal(BYTES, "JS_CLASS_UINT8_ARRAY");
    claims.equal(DATE, "JS_CLASS_DATE");
    claims.equal(MAP_ITERATOR, "JS_CLASS_MAP_ITERATOR");
    claims.equal(SET_ITERATOR, "JS_CLASS_SET_ITERATOR");
    claims.equal(ARRAY_ITERATOR, "JS_CLASS_ARRAY_ITERATOR");
    claims.equal(KEYS, "JS_ITERATOR_KIND_KEY");
    claims.equal(PAIRS, "JS_ITERATOR_KIND_KEY_AND_VALUE");
    claims.equal(OBJECT, "JS_GC_OBJ_TYPE_JS_OBJECT");
    claims.equal(CONTEXT, "JS_GC_OBJ_TYPE_JS_CONTEXT");
    claims.equal(FEWEST_LINES, "PC2LINE_BASE");
    claims.equal(NUMBERS_OF_LINES, "PC2LINE_RANGE");
    let words = "(offsetof(JSRuntime, job_list) - offsetof(JSRuntime, current_stack_frame)) / 8";
    claims.equal(JOBS_AFTER_FRAME, words);
    let words = "(offsetof(JSRuntime, current_stack_frame) - offsetof(JSRuntime, class_array)) / 8";
    claims.equal(CLASSES_BEFORE_FRAME, words);
    claims.equal(INNERMOST, "offsetof(JSRuntime, current_stack_frame)");
    claims.equal(CODE, "JS_CLASS_BYTECODE_FUNCTION");
    claims.equal(GENERATOR, "JS_CLASS_GENERATOR_FUNCTION");
    claims.equal(ASYNC, "JS_CLASS_ASYNC_FUNCTION");
    claims.equal(ASYNC_GENERATOR, "JS_CLASS_ASYNC_GENERATOR_FUNCTION");
    claims.equal(COUNTER, "offsetof(JSContext, interrupt_counter)");
    claims.equal(EVALUATE, "offsetof(JSContext, eval_internal)");
    claims.equal(STEPS, "JS_INTERRUPT_COUNTER_INIT");
    for (number, instruction) in instructions::INSTRUCTIONS.iter().enumerate() {
        let name = instruction.name;
        claims.equal(number, &format!("OP_{name}"));
        claims.equal(instruction.length, &format!("LENGTH_{name}"));
        claims.equal(instruction.takes, &format!("TAKES_{name}"));
        claims.equal(instruction.leaves, &format!("LEAVES_{name}"));
    }
    claims.equal(instructions::INSTRUCTIONS.len(), "OP_COUNT");
    // The kind is bits between these two.
    let header = "JSMallocBlockHeader";
    let before =
        |field: &str| format!("offsetof({header}, user_data) - offsetof({header}, {field})");
    claims.equal(KIND_BEFORE + 1, &before("block_size_idx"));
    claims.equal(KIND_BEFORE - 1, &before("ref_count"));
    claims.0
}

/// What the engine's own table says of its instructions, as constants.
const INSTRUCTIONS: &str = "enum {
#define FMT(f)
#define def(name, length, takes, leaves, format)
#define DEF(name, length, takes, leaves, format) LENGTH_##name = length, TAKES_##name = takes, LEAVES_##name = leaves,
#include \"quickjs-opcode.h\"
};
";

/// The folder with the engine's sources, as cargo has fetched them.
fn sources() -> PathBuf {
    let mut command = Command::new(env!("CARGO"));
    // What other systems need has not been fetched.
    let host = ["--filter-platform", "host-tuple"];
    command.args(["metadata", "--format-version", "1", "--locked", "--offline"]).args(host);
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata = String::from_utf8(output.stdout).expect("cargo writes JSON");
    let of_engine = |text: &&str| text.contains("/rquickjs-sys-") && text.ends_with("/Cargo.toml");
    let manifest = metadata.split('"').find(of_engine).expect("the engine is a dependency");
    Path::new(manifest).with_file_name("quickjs")
}

#[test]
fn structures_are_those_of_the_engines_sources() {
    let mut compiler = Command::new("cc");
    compiler.args(["-fsyntax-only", "-w", "-x", "c", "-"]);
    // As it is built.
    compiler.args(["-D_GNU_SOURCE", "-DNDEBUG", "-DQUICKJS_NG_BUILD"]);
    compiler.arg("-I").arg(sources()).stdin(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut compiler) = compiler.spawn() else {
        let skip = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/skip");
        let told = Command::new(skip).args(["mirror", "cc is not installed"]).status();
        assert!(told.expect("the skip can be told").success());
        return;
    };
    let program = format!("#include \"quickjs.c\"\n{INSTRUCTIONS}{}", claims());
    let mut input = compiler.stdin.take().expect("the compiler reads");
    input.write_all(program.as_bytes()).expect("the compiler reads");
    drop(input);
    let output = compiler.wait_with_output().expect("the compiler ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Strict, generator, async: bits, of which C does not tell where they are.
#[test]
fn the_flags_of_code_are_those_of_the_engine() {
    let runtime = Runtime::new().expect("there is memory");
    let context = Context::full(&runtime).expect("there is memory");
    context.with(|ctx| {
        let flags = |source: &str| {
            let mut options = EvalOptions::default();
            options.strict = false;
            let function: Value<'_> =
                ctx.eval_with_options(format!("({source})"), options).expect("it is a function");
            // SAFETY: a function with code is alive as long as the value, and its code as long as it.
            unsafe {
                let object: *const FunctionObject = qjs::JS_VALUE_GET_PTR(function.as_raw()).cast();
                let code = &*(*object).code;
                (code.is_strict(), code.is_generator(), code.is_async())
            }
        };
        for (strict, body) in [(false, "{}"), (true, "{ 'use strict'; }")] {
            assert_eq!(flags(&format!("function () {body}")), (strict, false, false));
            assert_eq!(flags(&format!("function* () {body}")), (strict, true, false));
            assert_eq!(flags(&format!("async function () {body}")), (strict, false, true));
            assert_eq!(flags(&format!("async function* () {body}")), (strict, true, true));
        }
    });
}
