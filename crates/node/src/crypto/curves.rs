//! Points on curves, and what is computed with them: one set of functions for all curves of one form.

use super::draws::Draws;
use hemiola_engine::bytes::copy;
use hemiola_tls::oid;
use p256::ecdsa::signature::hazmat::{PrehashSigner, PrehashVerifier};
use p256::elliptic_curve::point::AffineCoordinates;
use p256::elliptic_curve::sec1::ToSec1Point;
use rquickjs::{Ctx, Function, Object, Result, TypedArray};

/// Puts the functions of this file on `binding`.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, binding: &Object<'js>) -> Result<()> {
    let function =
        |name: &str, function: Function<'js>| binding.set(name, function.with_name(name)?);
    function("curvePoint", Function::new(ctx.clone(), curve_point)?)?;
    function("curveReadPoint", Function::new(ctx.clone(), curve_read_point)?)?;
    function("curveAgree", Function::new(ctx.clone(), curve_agree)?)?;
    function("curveDraw", Function::new(ctx.clone(), curve_draw)?)
}

/// Runs a macro with the crate of a curve; nothing comes of a curve that we do not have.
macro_rules! on_curve {
    ($curve:expr, $run:ident) => {
        match $curve {
            oid::der::P256 => $run!(p256),
            oid::der::P384 => $run!(p384),
            oid::der::P521 => $run!(p521),
            oid::der::SECP256K1 => $run!(k256),
            _ => None,
        }
    };
}

/// How many bytes a coordinate has, on a curve that is known by its identifier.
pub(super) fn width(curve: &[u8]) -> Option<usize> {
    oid::curve(curve).map(|(_, _, bits)| bits.div_ceil(8) as usize)
}

/// A number with zeros in front, as wide as a coordinate; nothing if it is wider than that.
pub(super) fn wide(curve: &[u8], number: &[u8]) -> Option<Vec<u8>> {
    let zeros = number.iter().take_while(|digit| **digit == 0).count();
    let digits = &number[zeros..];
    Some([vec![0; width(curve)?.checked_sub(digits.len())?], digits.to_vec()].concat())
}

/// A secret number, drawn evenly from those that there are.
pub(super) fn draw(curve: &[u8]) -> Option<Vec<u8>> {
    use p256::elliptic_curve::Generate;
    macro_rules! run {
        ($crate_:ident) => {{
            let Ok(key) = $crate_::SecretKey::try_generate_from_rng(&mut Draws);
            Some(key.to_bytes().to_vec())
        }};
    }
    on_curve!(curve, run)
}

/// The point that belongs to a secret number, with both coordinates.
pub(super) fn point(curve: &[u8], secret: &[u8]) -> Option<Vec<u8>> {
    let secret = wide(curve, secret)?;
    macro_rules! run {
        ($crate_:ident) => {{
            let key = $crate_::SecretKey::from_slice(&secret).ok()?.public_key();
            Some(key.to_sec1_point(false).as_bytes().to_vec())
        }};
    }
    on_curve!(curve, run)
}

/// A point of the curve in any of its forms, with both coordinates.
pub(super) fn read_point(curve: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    let (first, last) = (*bytes.first()?, *bytes.last()?);
    match first {
        2..=4 => {}
        // A form that says twice whether the second coordinate is odd.
        6 | 7 if first & 1 == last & 1 => bytes[0] = 4,
        _ => return None,
    }
    macro_rules! run {
        ($crate_:ident) => {{
            let key = $crate_::PublicKey::from_sec1_bytes(&bytes).ok()?;
            Some(key.to_sec1_point(false).as_bytes().to_vec())
        }};
    }
    on_curve!(curve, run)
}

/// What a secret number has in common with a point: a coordinate.
pub(super) fn agree(curve: &[u8], secret: &[u8], point: &[u8]) -> Option<Vec<u8>> {
    let (secret, point) = (wide(curve, secret)?, read_point(curve, point)?);
    macro_rules! run {
        ($crate_:ident) => {{
            let secret = $crate_::SecretKey::from_slice(&secret).ok()?;
            let point = $crate_::PublicKey::from_sec1_bytes(&point).ok()?;
            let common = point.to_projective() * *secret.to_nonzero_scalar();
            Some(common.to_affine().x().to_vec())
        }};
    }
    on_curve!(curve, run)
}

/// Signs a hash; `is_plain` asks for the two numbers as they are, not in DER.
pub(super) fn sign(curve: &[u8], secret: &[u8], hash: &[u8], is_plain: bool) -> Option<Vec<u8>> {
    let (secret, hash) = (wide(curve, secret)?, filled(curve, hash)?);
    macro_rules! run {
        ($crate_:ident) => {{
            let key = $crate_::ecdsa::SigningKey::from_slice(&secret).ok()?;
            let signature: $crate_::ecdsa::Signature = key.sign_prehash(&hash).ok()?;
            Some(if is_plain {
                signature.to_bytes().to_vec()
            } else {
                signature.to_der().as_bytes().to_vec()
            })
        }};
    }
    on_curve!(curve, run)
}

/// Whether a point's owner signed a hash.
pub(super) fn verify(
    curve: &[u8],
    point: &[u8],
    hash: &[u8],
    is_plain: bool,
    signature: &[u8],
) -> Option<bool> {
    let (point, hash) = (read_point(curve, point)?, filled(curve, hash)?);
    macro_rules! run {
        ($crate_:ident) => {{
            use $crate_::ecdsa::{Signature, VerifyingKey};
            let key = VerifyingKey::from_sec1_bytes(&point).ok()?;
            let signature = if is_plain {
                Signature::from_slice(signature)
            } else {
                Signature::from_der(signature)
            };
            // Of the two signatures that mean the same, some curves' crates take one only.
            Some(key.verify_prehash(&hash, &signature.ok()?.normalize_s()).is_ok())
        }};
    }
    on_curve!(curve, run)
}

/// A hash that is not shorter than a coordinate: the crates refuse those that are much shorter.
fn filled(curve: &[u8], hash: &[u8]) -> Option<Vec<u8>> {
    let missing = width(curve)?.saturating_sub(hash.len());
    Some([&vec![0; missing], hash].concat())
}

fn all(bytes: &TypedArray<'_, u8>) -> Vec<u8> {
    copy(bytes, 0, usize::MAX)
}

/// The identifier of a curve by OpenSSL's name.
pub(super) fn named(name: &str) -> Option<&'static [u8]> {
    let curves = [oid::der::P256, oid::der::P384, oid::der::P521, oid::der::SECP256K1];
    curves.into_iter().find(|curve| oid::curve(curve).is_some_and(|(known, ..)| known == name))
}

fn array<'js>(ctx: Ctx<'js>, bytes: Option<Vec<u8>>) -> Result<Option<TypedArray<'js, u8>>> {
    bytes.map(|bytes| TypedArray::new(ctx, bytes)).transpose()
}

/// `curvePoint(curve, secret)`: the point of a secret number, or undefined if it is none of the curve's.
fn curve_point<'js>(
    ctx: Ctx<'js>,
    curve: String,
    secret: TypedArray<'js, u8>,
) -> Result<Option<TypedArray<'js, u8>>> {
    array(ctx, named(&curve).and_then(|curve| point(curve, &all(&secret))))
}

/// `curveReadPoint(curve, bytes)`: a point with both its coordinates, or undefined if it is not on the curve.
fn curve_read_point<'js>(
    ctx: Ctx<'js>,
    curve: String,
    bytes: TypedArray<'js, u8>,
) -> Result<Option<TypedArray<'js, u8>>> {
    array(ctx, named(&curve).and_then(|curve| read_point(curve, &all(&bytes))))
}

/// `curveAgree(curve, secret, point)`.
fn curve_agree<'js>(
    ctx: Ctx<'js>,
    curve: String,
    secret: TypedArray<'js, u8>,
    point: TypedArray<'js, u8>,
) -> Result<Option<TypedArray<'js, u8>>> {
    array(ctx, named(&curve).and_then(|curve| agree(curve, &all(&secret), &all(&point))))
}

/// `curveDraw(curve)`: a secret number.
fn curve_draw<'js>(ctx: Ctx<'js>, curve: String) -> Result<Option<TypedArray<'js, u8>>> {
    array(ctx, named(&curve).and_then(draw))
}
