//! The instructions of the engine: how long they are, and what they take and leave on the stack.
//!
//! In the order of their numbers. The C compiler compares them with the engine's own in a test.

/// What follows the number of an instruction, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Nothing that is read.
    Plain,
    /// A name.
    Atom,
    /// How many arguments are taken beside what the table says.
    Arguments,
    /// As many arguments as the number of the instruction says.
    ShortArguments,
    /// How far a jump goes, in one byte, two or four.
    Jump(u8),
    /// A name, and how far a jump goes in four bytes.
    AtomJump,
}

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    pub(crate) length: u8,
    pub(crate) takes: u8,
    pub(crate) leaves: u8,
    pub(crate) format: Format,
    /// The engine's name for it.
    #[cfg(test)]
    pub(crate) name: &'static str,
}

macro_rules! instructions {
    ($($constant:ident $name:ident $length:literal $takes:literal $leaves:literal $format:expr;)*) => {
        /// The numbers of instructions.
        #[expect(
            dead_code,
            non_camel_case_types,
            clippy::upper_case_acronyms,
            reason = "the table is whole, and its constants are named as constants are"
        )]
        mod numbers {
            #[repr(u8)]
            pub(super) enum Number { $($constant,)* }
            $(pub(crate) const $constant: u8 = Number::$constant as u8;)*
        }

        /// All instructions, by number.
        pub(crate) const INSTRUCTIONS: &[Instruction] = &[$(Instruction {
            length: $length,
            takes: $takes,
            leaves: $leaves,
            format: $format,
            #[cfg(test)]
            name: stringify!($name),
        },)*];
    };
}

use Format::{Arguments, Atom, AtomJump, Jump, Plain, ShortArguments};
pub(crate) use numbers::*;

instructions! {
    INVALID invalid 1 0 0 Plain;
    PUSH_I32 push_i32 5 0 1 Plain;
    PUSH_CONST push_const 5 0 1 Plain;
    FCLOSURE fclosure 5 0 1 Plain;
    PUSH_ATOM_VALUE push_atom_value 5 0 1 Atom;
    PRIVATE_SYMBOL private_symbol 5 0 1 Atom;
    UNDEFINED undefined 1 0 1 Plain;
    NULL null 1 0 1 Plain;
    PUSH_THIS push_this 1 0 1 Plain;
    PUSH_FALSE push_false 1 0 1 Plain;
    PUSH_TRUE push_true 1 0 1 Plain;
    OBJECT object 1 0 1 Plain;
    SPECIAL_OBJECT special_object 2 0 1 Plain;
    REST rest 3 0 1 Plain;
    DROP drop 1 1 0 Plain;
    NIP nip 1 2 1 Plain;
    NIP1 nip1 1 3 2 Plain;
    DUP dup 1 1 2 Plain;
    DUP1 dup1 1 2 3 Plain;
    DUP2 dup2 1 2 4 Plain;
    DUP3 dup3 1 3 6 Plain;
    INSERT2 insert2 1 2 3 Plain;
    INSERT3 insert3 1 3 4 Plain;
    INSERT4 insert4 1 4 5 Plain;
    PERM3 perm3 1 3 3 Plain;
    PERM4 perm4 1 4 4 Plain;
    PERM5 perm5 1 5 5 Plain;
    SWAP swap 1 2 2 Plain;
    SWAP2 swap2 1 4 4 Plain;
    ROT3L rot3l 1 3 3 Plain;
    ROT3R rot3r 1 3 3 Plain;
    ROT4L rot4l 1 4 4 Plain;
    ROT5L rot5l 1 5 5 Plain;
    CALL_CONSTRUCTOR call_constructor 3 2 1 Arguments;
    CALL call 3 1 1 Arguments;
    TAIL_CALL tail_call 3 1 0 Arguments;
    CALL_METHOD call_method 3 2 1 Arguments;
    TAIL_CALL_METHOD tail_call_method 3 2 0 Arguments;
    ARRAY_FROM array_from 3 0 1 Arguments;
    APPLY apply 3 3 1 Plain;
    RETURN return 1 1 0 Plain;
    RETURN_UNDEF return_undef 1 0 0 Plain;
    CHECK_CTOR_RETURN check_ctor_return 1 1 2 Plain;
    CHECK_CTOR check_ctor 1 0 0 Plain;
    INIT_CTOR init_ctor 1 0 1 Plain;
    CHECK_BRAND check_brand 1 2 2 Plain;
    ADD_BRAND add_brand 1 2 0 Plain;
    RETURN_ASYNC return_async 1 1 0 Plain;
    THROW throw 1 1 0 Plain;
    THROW_ERROR throw_error 6 0 0 Atom;
    EVAL eval 5 1 1 Arguments;
    APPLY_EVAL apply_eval 3 2 1 Plain;
    REGEXP regexp 1 2 1 Plain;
    GET_SUPER get_super 1 1 1 Plain;
    IMPORT import 1 2 1 Plain;
    GET_VAR_UNDEF get_var_undef 5 0 1 Atom;
    GET_VAR get_var 5 0 1 Atom;
    PUT_VAR put_var 5 1 0 Atom;
    PUT_VAR_INIT put_var_init 5 1 0 Atom;
    GET_REF_VALUE get_ref_value 1 2 3 Plain;
    PUT_REF_VALUE put_ref_value 1 3 0 Plain;
    DEFINE_VAR define_var 6 0 0 Atom;
    CHECK_DEFINE_VAR check_define_var 6 0 0 Atom;
    DEFINE_FUNC define_func 6 1 0 Atom;
    GET_FIELD get_field 5 1 1 Atom;
    GET_FIELD2 get_field2 5 1 2 Atom;
    PUT_FIELD put_field 5 2 0 Atom;
    GET_PRIVATE_FIELD get_private_field 1 2 1 Plain;
    PUT_PRIVATE_FIELD put_private_field 1 3 0 Plain;
    DEFINE_PRIVATE_FIELD define_private_field 1 3 1 Plain;
    GET_ARRAY_EL get_array_el 1 2 1 Plain;
    GET_ARRAY_EL2 get_array_el2 1 2 2 Plain;
    PUT_ARRAY_EL put_array_el 1 3 0 Plain;
    GET_SUPER_VALUE get_super_value 1 3 1 Plain;
    PUT_SUPER_VALUE put_super_value 1 4 0 Plain;
    DEFINE_FIELD define_field 5 2 1 Atom;
    SET_NAME set_name 5 1 1 Atom;
    SET_NAME_COMPUTED set_name_computed 1 2 2 Plain;
    SET_PROTO set_proto 1 2 1 Plain;
    SET_HOME_OBJECT set_home_object 1 2 2 Plain;
    DEFINE_ARRAY_EL define_array_el 1 3 2 Plain;
    APPEND append 1 3 2 Plain;
    COPY_DATA_PROPERTIES copy_data_properties 2 3 3 Plain;
    DEFINE_METHOD define_method 6 2 1 Atom;
    DEFINE_METHOD_COMPUTED define_method_computed 2 3 1 Plain;
    DEFINE_CLASS define_class 6 2 2 Atom;
    DEFINE_CLASS_COMPUTED define_class_computed 6 3 3 Atom;
    GET_LOC get_loc 3 0 1 Plain;
    PUT_LOC put_loc 3 1 0 Plain;
    SET_LOC set_loc 3 1 1 Plain;
    GET_ARG get_arg 3 0 1 Plain;
    PUT_ARG put_arg 3 1 0 Plain;
    SET_ARG set_arg 3 1 1 Plain;
    GET_VAR_REF get_var_ref 3 0 1 Plain;
    PUT_VAR_REF put_var_ref 3 1 0 Plain;
    SET_VAR_REF set_var_ref 3 1 1 Plain;
    SET_LOC_UNINITIALIZED set_loc_uninitialized 3 0 0 Plain;
    GET_LOC_CHECK get_loc_check 3 0 1 Plain;
    PUT_LOC_CHECK put_loc_check 3 1 0 Plain;
    PUT_LOC_CHECK_INIT put_loc_check_init 3 1 0 Plain;
    GET_VAR_REF_CHECK get_var_ref_check 3 0 1 Plain;
    PUT_VAR_REF_CHECK put_var_ref_check 3 1 0 Plain;
    PUT_VAR_REF_CHECK_INIT put_var_ref_check_init 3 1 0 Plain;
    CLOSE_LOC close_loc 3 0 0 Plain;
    IF_FALSE if_false 5 1 0 Jump(4);
    IF_TRUE if_true 5 1 0 Jump(4);
    GOTO goto 5 0 0 Jump(4);
    CATCH catch 5 0 1 Jump(4);
    GOSUB gosub 5 0 0 Jump(4);
    RET ret 1 1 0 Plain;
    NIP_CATCH nip_catch 1 2 1 Plain;
    CHECK_OBJECT check_object 1 1 1 Plain;
    TO_OBJECT to_object 1 1 1 Plain;
    TO_PROPKEY to_propkey 1 1 1 Plain;
    TO_PROPKEY2 to_propkey2 1 2 2 Plain;
    WITH_GET_VAR with_get_var 10 1 0 AtomJump;
    WITH_PUT_VAR with_put_var 10 2 1 AtomJump;
    WITH_DELETE_VAR with_delete_var 10 1 0 AtomJump;
    WITH_MAKE_REF with_make_ref 10 1 0 AtomJump;
    WITH_GET_REF with_get_ref 10 1 0 AtomJump;
    WITH_GET_REF_UNDEF with_get_ref_undef 10 1 0 AtomJump;
    MAKE_LOC_REF make_loc_ref 7 0 2 Atom;
    MAKE_ARG_REF make_arg_ref 7 0 2 Atom;
    MAKE_VAR_REF_REF make_var_ref_ref 7 0 2 Atom;
    MAKE_VAR_REF make_var_ref 5 0 2 Atom;
    FOR_IN_START for_in_start 1 1 1 Plain;
    FOR_OF_START for_of_start 1 1 3 Plain;
    FOR_AWAIT_OF_START for_await_of_start 1 1 3 Plain;
    FOR_IN_NEXT for_in_next 1 1 3 Plain;
    FOR_OF_NEXT for_of_next 2 3 5 Plain;
    ITERATOR_GET_VALUE_DONE iterator_get_value_done 1 1 2 Plain;
    ITERATOR_CLOSE iterator_close 1 3 0 Plain;
    ITERATOR_NEXT iterator_next 1 4 4 Plain;
    ITERATOR_CALL iterator_call 2 4 5 Plain;
    INITIAL_YIELD initial_yield 1 0 0 Plain;
    YIELD yield 1 1 2 Plain;
    YIELD_STAR yield_star 1 1 2 Plain;
    ASYNC_YIELD_STAR async_yield_star 1 1 2 Plain;
    AWAIT await 1 1 1 Plain;
    NEG neg 1 1 1 Plain;
    PLUS plus 1 1 1 Plain;
    DEC dec 1 1 1 Plain;
    INC inc 1 1 1 Plain;
    POST_DEC post_dec 1 1 2 Plain;
    POST_INC post_inc 1 1 2 Plain;
    DEC_LOC dec_loc 2 0 0 Plain;
    INC_LOC inc_loc 2 0 0 Plain;
    ADD_LOC add_loc 2 1 0 Plain;
    NOT not 1 1 1 Plain;
    LNOT lnot 1 1 1 Plain;
    TYPEOF typeof 1 1 1 Plain;
    DELETE delete 1 2 1 Plain;
    DELETE_VAR delete_var 5 0 1 Atom;
    MUL mul 1 2 1 Plain;
    DIV div 1 2 1 Plain;
    MOD mod 1 2 1 Plain;
    ADD add 1 2 1 Plain;
    SUB sub 1 2 1 Plain;
    SHL shl 1 2 1 Plain;
    SAR sar 1 2 1 Plain;
    SHR shr 1 2 1 Plain;
    AND and 1 2 1 Plain;
    XOR xor 1 2 1 Plain;
    OR or 1 2 1 Plain;
    POW pow 1 2 1 Plain;
    LT lt 1 2 1 Plain;
    LTE lte 1 2 1 Plain;
    GT gt 1 2 1 Plain;
    GTE gte 1 2 1 Plain;
    INSTANCEOF instanceof 1 2 1 Plain;
    IN in 1 2 1 Plain;
    EQ eq 1 2 1 Plain;
    NEQ neq 1 2 1 Plain;
    STRICT_EQ strict_eq 1 2 1 Plain;
    STRICT_NEQ strict_neq 1 2 1 Plain;
    IS_UNDEFINED_OR_NULL is_undefined_or_null 1 1 1 Plain;
    PRIVATE_IN private_in 1 2 1 Plain;
    PUSH_BIGINT_I32 push_bigint_i32 5 0 1 Plain;
    USING_DISPOSE_INIT using_dispose_init 1 0 1 Plain;
    USING_DISPOSE using_dispose 3 1 1 Plain;
    USING_DISPOSE_ASYNC using_dispose_async 3 0 1 Plain;
    USING_DISPOSE_MERGE using_dispose_merge 1 2 1 Plain;
    USING_DISPOSE_END using_dispose_end 1 1 0 Plain;
    USING_CHECK using_check 2 1 2 Plain;
    NOP nop 1 0 0 Plain;
    PUSH_MINUS1 push_minus1 1 0 1 Plain;
    PUSH_0 push_0 1 0 1 Plain;
    PUSH_1 push_1 1 0 1 Plain;
    PUSH_2 push_2 1 0 1 Plain;
    PUSH_3 push_3 1 0 1 Plain;
    PUSH_4 push_4 1 0 1 Plain;
    PUSH_5 push_5 1 0 1 Plain;
    PUSH_6 push_6 1 0 1 Plain;
    PUSH_7 push_7 1 0 1 Plain;
    PUSH_I8 push_i8 2 0 1 Plain;
    PUSH_I16 push_i16 3 0 1 Plain;
    PUSH_CONST8 push_const8 2 0 1 Plain;
    FCLOSURE8 fclosure8 2 0 1 Plain;
    PUSH_EMPTY_STRING push_empty_string 1 0 1 Plain;
    GET_LOC8 get_loc8 2 0 1 Plain;
    PUT_LOC8 put_loc8 2 1 0 Plain;
    SET_LOC8 set_loc8 2 1 1 Plain;
    GET_LOC0_LOC1 get_loc0_loc1 1 0 2 Plain;
    GET_LOC0 get_loc0 1 0 1 Plain;
    GET_LOC1 get_loc1 1 0 1 Plain;
    GET_LOC2 get_loc2 1 0 1 Plain;
    GET_LOC3 get_loc3 1 0 1 Plain;
    PUT_LOC0 put_loc0 1 1 0 Plain;
    PUT_LOC1 put_loc1 1 1 0 Plain;
    PUT_LOC2 put_loc2 1 1 0 Plain;
    PUT_LOC3 put_loc3 1 1 0 Plain;
    SET_LOC0 set_loc0 1 1 1 Plain;
    SET_LOC1 set_loc1 1 1 1 Plain;
    SET_LOC2 set_loc2 1 1 1 Plain;
    SET_LOC3 set_loc3 1 1 1 Plain;
    GET_ARG0 get_arg0 1 0 1 Plain;
    GET_ARG1 get_arg1 1 0 1 Plain;
    GET_ARG2 get_arg2 1 0 1 Plain;
    GET_ARG3 get_arg3 1 0 1 Plain;
    PUT_ARG0 put_arg0 1 1 0 Plain;
    PUT_ARG1 put_arg1 1 1 0 Plain;
    PUT_ARG2 put_arg2 1 1 0 Plain;
    PUT_ARG3 put_arg3 1 1 0 Plain;
    SET_ARG0 set_arg0 1 1 1 Plain;
    SET_ARG1 set_arg1 1 1 1 Plain;
    SET_ARG2 set_arg2 1 1 1 Plain;
    SET_ARG3 set_arg3 1 1 1 Plain;
    GET_VAR_REF0 get_var_ref0 1 0 1 Plain;
    GET_VAR_REF1 get_var_ref1 1 0 1 Plain;
    GET_VAR_REF2 get_var_ref2 1 0 1 Plain;
    GET_VAR_REF3 get_var_ref3 1 0 1 Plain;
    PUT_VAR_REF0 put_var_ref0 1 1 0 Plain;
    PUT_VAR_REF1 put_var_ref1 1 1 0 Plain;
    PUT_VAR_REF2 put_var_ref2 1 1 0 Plain;
    PUT_VAR_REF3 put_var_ref3 1 1 0 Plain;
    SET_VAR_REF0 set_var_ref0 1 1 1 Plain;
    SET_VAR_REF1 set_var_ref1 1 1 1 Plain;
    SET_VAR_REF2 set_var_ref2 1 1 1 Plain;
    SET_VAR_REF3 set_var_ref3 1 1 1 Plain;
    GET_LENGTH get_length 1 1 1 Plain;
    IF_FALSE8 if_false8 2 1 0 Jump(1);
    IF_TRUE8 if_true8 2 1 0 Jump(1);
    GOTO8 goto8 2 0 0 Jump(1);
    GOTO16 goto16 3 0 0 Jump(2);
    CALL0 call0 1 1 1 ShortArguments;
    CALL1 call1 1 1 1 ShortArguments;
    CALL2 call2 1 1 1 ShortArguments;
    CALL3 call3 1 1 1 ShortArguments;
    IS_UNDEFINED is_undefined 1 1 1 Plain;
    IS_NULL is_null 1 1 1 Plain;
    TYPEOF_IS_UNDEFINED typeof_is_undefined 1 1 1 Plain;
    TYPEOF_IS_FUNCTION typeof_is_function 1 1 1 Plain;
}
