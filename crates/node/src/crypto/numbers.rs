//! Large numbers: primes, and key agreement by Diffie and Hellman.

use super::draws::Draws;
use crypto_bigint::{BoxedUint, Gcd, Limb, NonZero, Odd, Resize};
use crypto_primes::{Flavor, is_prime};
use hemiola_engine::bytes::{copy, no_memory};
use hemiola_engine::state::state;
use rquickjs::{Ctx, Function, IntoJs, Object, Result, TypedArray, Value};

/// Puts the functions of this file on `binding`.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let function =
        |name: &str, function: Function<'js>| binding.set(name, function.with_name(name)?);
    function("primeGenerate", Function::new(ctx.clone(), prime_generate)?)?;
    function("primeCheck", Function::new(ctx.clone(), prime_check)?)?;
    function("groupCheck", Function::new(ctx.clone(), group_check)?)?;
    function("groupPower", Function::new(ctx.clone(), group_power)?)
}

pub(super) fn number(bytes: &[u8]) -> BoxedUint {
    BoxedUint::from_be_slice_vartime(bytes)
}

/// The digits of a number without zeros in front.
pub(super) fn digits(number: &BoxedUint) -> Vec<u8> {
    number.to_be_bytes_trimmed_vartime().into_vec()
}

/// `base` to the power of `exponent`, modulo an odd number.
pub(super) fn power(base: &BoxedUint, exponent: &BoxedUint, modulus: &Odd<BoxedUint>) -> BoxedUint {
    base.rem_vartime(modulus.as_nz_ref()).pow_mod(exponent, modulus)
}

/// So many random bits; the highest `ones` of them are set.
pub(super) fn random(bits: u32, ones: u32) -> BoxedUint {
    let mut bytes = vec![0; bits.div_ceil(8) as usize];
    let Ok(()) = rsa::rand_core::TryRng::try_fill_bytes(&mut Draws, &mut bytes);
    let spare = bytes.len() as u32 * 8 - bits;
    if let Some(first) = bytes.first_mut() {
        *first &= 0xff >> spare;
    }
    for one in 0..ones.min(bits) {
        let at = (spare + one) as usize;
        bytes[at / 8] |= 0x80 >> (at % 8);
    }
    number(&bytes)
}

/// Why there is no such prime: OpenSSL's words, or ours.
type Reason = &'static str;

/// A prime with so many bits, which leaves `rem` when divided by `add`, if these are given. Of a safe one the
/// half is prime, too.
pub(super) fn prime(
    bits: u32,
    is_safe: bool,
    add: Option<BoxedUint>,
    rem: Option<BoxedUint>,
) -> std::result::Result<BoxedUint, Reason> {
    if bits < 2 || is_safe && bits < 6 && bits != 3 {
        return Err("error:01800076:bignum routines::bits too small");
    }
    // Without a step of the program's own, the two highest bits are set: products have as many bits as expected.
    let ones = if add.is_some() { 1 } else { 2 };
    let usual = |small: u8| BoxedUint::from(small);
    let rem = rem.unwrap_or_else(|| usual(if is_safe { 3 } else { 1 }));
    let add = add.unwrap_or_else(|| usual(if is_safe { 4 } else { 2 }));
    let Some(step) = Option::<NonZero<BoxedUint>>::from(add.to_nz()) else {
        return Err("error:01800067:bignum routines::div by zero");
    };
    let precision = bits.max(add.bits()) + 64;
    let wide = |number: BoxedUint| number.resize_unchecked(precision);
    let (add, rem) = (wide(add), wide(rem));
    const NONE: Reason = "no prime of this size leaves options.rem when divided by options.add";
    if !bool::from(add.gcd(&rem).is_one()) {
        return Err(NONE);
    }
    let small: Vec<Small> = if bits > 32 { Small::all(&add) } else { Vec::new() };
    // So many starts have found one long before, unless there is none.
    for _ in 0..bits.max(64) {
        let drawn = wide(random(bits, ones));
        let start = drawn.wrapping_sub(wide(drawn.rem_vartime(&step))).wrapping_add(&rem);
        let rests: Vec<u32> = small.iter().map(|one| rest(&start, one.prime)).collect();
        for at in 0..4096u32 {
            let is_out = small.iter().zip(&rests).any(|(one, rest)| {
                let rest = (rest + at * one.step) % one.prime;
                rest == 0 || is_safe && rest == 1
            });
            if is_out {
                continue;
            }
            let candidate = start.wrapping_add(wide(add.wrapping_mul(BoxedUint::from(at))));
            if candidate.bits() > bits {
                break;
            }
            if candidate.bits() < bits {
                continue;
            }
            let candidate = candidate.resize_unchecked(bits);
            let has_prime_half = || is_prime(Flavor::Any, &candidate.shr(1));
            if is_prime(Flavor::Any, &candidate) && (!is_safe || has_prime_half()) {
                return Ok(candidate);
            }
        }
    }
    Err(NONE)
}

/// A small prime, and what a step is modulo it.
struct Small {
    prime: u32,
    step: u32,
}

impl Small {
    fn all(add: &BoxedUint) -> Vec<Self> {
        let is_prime =
            |one: &u32| (3..).take_while(|by| by * by <= *one).all(|by| !one.is_multiple_of(by));
        let odd = (3..4096).step_by(2).filter(is_prime);
        odd.map(|prime| Self { prime, step: rest(add, prime) }).collect()
    }
}

fn rest(number: &BoxedUint, by: u32) -> u32 {
    let by = NonZero::new(Limb::from(by)).expect("primes are not zero");
    number.rem_limb(by).0 as u32
}

fn all(bytes: &TypedArray<'_, u8>) -> Vec<u8> {
    copy(bytes, 0, usize::MAX)
}

/// `primeGenerate(bits, isSafe, add, rem)`: a prime, or why there is none, as a text.
fn prime_generate<'js>(
    ctx: Ctx<'js>,
    bits: u32,
    is_safe: bool,
    add: Option<TypedArray<'js, u8>>,
    rem: Option<TypedArray<'js, u8>>,
) -> Result<Value<'js>> {
    if !state(&ctx).settings.budget.grants(bits as usize / 8) {
        return Err(no_memory(&ctx));
    }
    let given = |bytes: Option<TypedArray<'js, u8>>| bytes.map(|bytes| number(&all(&bytes)));
    match prime(bits, is_safe, given(add), given(rem)) {
        Ok(prime) => TypedArray::<u8>::new(ctx, digits(&prime)).map(TypedArray::into_value),
        Err(reason) => reason.into_js(&ctx),
    }
}

/// `primeCheck(bytes)`: whether a number is prime. There is no number for which the test that is done
/// here, by Baillie, Pomerance, Selfridge and Wagstaff, is known to be wrong.
fn prime_check(bytes: TypedArray<'_, u8>) -> bool {
    is_prime(Flavor::Any, &number(&all(&bytes)))
}

/// `groupCheck(prime, generator)`: what is wrong with a group, as OpenSSL's bits.
fn group_check<'js>(prime: TypedArray<'js, u8>, generator: TypedArray<'js, u8>) -> u32 {
    const NOT_PRIME: u32 = 1;
    const NOT_SAFE: u32 = 2;
    const BAD_GENERATOR: u32 = 8;
    const TOO_SMALL: u32 = 0x80;
    const TOO_LARGE: u32 = 0x100;
    let (prime, generator) = (number(&all(&prime)), number(&all(&generator)));
    let mut wrong = 0;
    let one = BoxedUint::one();
    let (least, bits) = (prime.wrapping_sub(&one), prime.bits());
    if generator <= one || bits == 0 || generator >= least {
        wrong |= BAD_GENERATOR;
    }
    if bits < 512 {
        wrong |= TOO_SMALL;
    } else if bits > 10_000 {
        return wrong | TOO_LARGE;
    }
    if !is_prime(Flavor::Any, &prime) {
        wrong | NOT_PRIME
    } else if !is_prime(Flavor::Any, &prime.shr(1)) {
        wrong | NOT_SAFE
    } else {
        wrong
    }
}

/// `groupPower(base, exponent, modulus)`: a power, as wide as the modulus; undefined if that is even.
fn group_power<'js>(
    ctx: Ctx<'js>,
    base: TypedArray<'js, u8>,
    exponent: TypedArray<'js, u8>,
    modulus: TypedArray<'js, u8>,
) -> Result<Option<TypedArray<'js, u8>>> {
    let [base, exponent, modulus] = [base, exponent, modulus].map(|bytes| all(&bytes));
    let Some(odd) = Option::<Odd<BoxedUint>>::from(number(&modulus).into_odd()) else {
        return Ok(None);
    };
    let found = digits(&power(&number(&base), &number(&exponent), &odd));
    let wide = [vec![0; modulus.len().saturating_sub(found.len())], found].concat();
    TypedArray::new(ctx, wide).map(Some)
}
