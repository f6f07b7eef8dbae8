// What characters are to their neighbours in a label of a domain name: how they join, and in which direction they go.
'use strict';

// Marks that take a vowel away, of combining class 9.
const VIRAMAS = String.raw`\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714` +
  String.raw`\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed` +
  String.raw`\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}` +
  String.raw`\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}` +
  String.raw`\u{11c3f}\u{11d44}\u{11d45}\u{11d97}`;
// Letters that join with both neighbours, with the one before, and with the one after.
const BOTH_SIDES = String.raw`\u0620\u0626\u0628\u062a-\u062e\u0633-\u063f\u0641-\u0647\u0649\u064a\u066e\u066f\u0678-\u0687\u069a-\u06bf` +
  String.raw`\u06c1\u06c2\u06cc\u06ce\u06d0\u06d1\u06fa-\u06fc\u06ff\u0712-\u0714\u071a-\u071d\u071f-\u0727\u0729\u072b` +
  String.raw`\u072d\u072e\u074e-\u0758\u075c-\u076a\u076d-\u0770\u0772\u0775-\u0777\u077a-\u077f\u07ca-\u07ea\u0841-\u0845` +
  String.raw`\u0848\u084a-\u0853\u0855\u0860\u0862-\u0865\u0868\u0886\u0889-\u088d\u08a0-\u08a9\u08af\u08b0\u08b3-\u08b8` +
  String.raw`\u08ba-\u08c8\u1807\u1820-\u1878\u1887-\u18a8\u18aa\ua840-\ua871\u{10ac0}-\u{10ac4}\u{10ad3}-\u{10ad6}` +
  String.raw`\u{10ad8}-\u{10adc}\u{10ade}-\u{10ae0}\u{10aeb}-\u{10aee}\u{10b80}\u{10b82}\u{10b86}-\u{10b88}\u{10b8a}` +
  String.raw`\u{10b8b}\u{10b8d}\u{10b90}\u{10bad}\u{10bae}\u{10d01}-\u{10d21}\u{10d23}\u{10f30}-\u{10f32}` +
  String.raw`\u{10f34}-\u{10f44}\u{10f51}-\u{10f53}\u{10f70}-\u{10f73}\u{10f76}-\u{10f81}\u{10fb0}\u{10fb2}\u{10fb3}` +
  String.raw`\u{10fb8}\u{10fbb}\u{10fbc}\u{10fbe}\u{10fbf}\u{10fc1}\u{10fc4}\u{10fca}\u{1e900}-\u{1e943}`;
const BEFORE = String.raw`\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd` +
  String.raw`\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef\u0710\u0715-\u0719\u071e\u0728\u072a\u072c\u072f\u074d\u0759-\u075b\u076b` +
  String.raw`\u076c\u0771\u0773\u0774\u0778\u0779\u0840\u0846\u0847\u0849\u0854\u0856-\u0858\u0867\u0869\u086a\u0870-\u0882` +
  String.raw`\u088e\u08aa-\u08ac\u08ae\u08b1\u08b2\u08b9\u{10ac5}\u{10ac7}\u{10ac9}\u{10aca}\u{10ace}-\u{10ad2}\u{10add}` +
  String.raw`\u{10ae1}\u{10ae4}\u{10aef}\u{10b81}\u{10b83}-\u{10b85}\u{10b89}\u{10b8c}\u{10b8e}\u{10b8f}\u{10b91}` +
  String.raw`\u{10ba9}-\u{10bac}\u{10d22}\u{10f33}\u{10f54}\u{10f74}\u{10f75}\u{10fb4}-\u{10fb6}\u{10fb9}\u{10fba}\u{10fbd}` +
  String.raw`\u{10fc2}\u{10fc3}\u{10fc9}`;
const AFTER = String.raw`\ua872\u{10acd}\u{10ad7}\u{10d00}\u{10fcb}`;

// A joiner fits behind such a mark; the one that parts letters also fits between letters that would join.
const AFTER_VIRAMA = new RegExp(`[${VIRAMAS}][\u200c\u200d]`, 'gu');
const BETWEEN_LETTERS = new RegExp(`(?<=[${BOTH_SIDES}${AFTER}][\\p{Mn}\\p{Me}]*)\u200c(?=[\\p{Mn}\\p{Me}]*[${BEFORE}${BOTH_SIDES}])`, 'gu');

/// Whether each joiner of a label stands where it changes what is seen.
function joinersFit(label) {
  return !/[\u200c\u200d]/.test(label.replace(AFTER_VIRAMA, '').replace(BETWEEN_LETTERS, ''));
}

const ARABIC_DIGIT = /[\u0660-\u0669\u066b\u066c\u{10d30}-\u{10d39}\u{10e60}-\u{10e7e}]/u;
const DIGIT = /[0-9\u06f0-\u06f9\u{102e1}-\u{102fb}]/u;
const MARK = /[\p{Mn}\p{Me}]/u;
// Signs among the letters that go to the left, but without a direction.
const SIGN = /[\u0606\u0607\u0609\u060a\u060c\u060e\u060f\u066a\u06de\u06e9\u07f6-\u07f9\ufd3e-\ufd4f\ufdcf\ufdfd-\ufdff\u{1091f}\u{10b39}-\u{10b3f}\u{1eef0}\u{1eef1}]/u;
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
// Letters and numbers without a direction, and signs that have one.
const UNDIRECTED = /[\u02b9\u02ba\u02c6-\u02cf\u02ec\u0c78-\u0c7e\u17f0-\u17f9\u24eb-\u24ff\u2776-\u2793\u2cfd\u2e2f\ua67f\ua717-\ua71f\ua788\u{10140}-\u{10178}\u{1018a}\u{1018b}\u{11052}-\u{11065}\u{1f10b}\u{1f10c}]/u;
const DIRECTED = /[\u0964\u0965\u214f\u2336-\u237a\u2395\u26ac\u2800-\u28ff\u3190\u3191\u327f\ua789\ua78a\ua836\ua837\u{10100}\u{10102}\u{10137}-\u{1013f}\u{101d0}-\u{101fc}\u{1cf50}-\u{1cfc3}\u{1d000}-\u{1d126}\u{1d129}-\u{1d1e8}\u{1f150}-\u{1f1ff}]/u;

/// What a character is in a label with letters that go to the left: one of them, a digit of either kind, a mark,
/// `other` if it goes nowhere, or `foreign` if it goes to the right.
function classOf(character) {
  if (ARABIC_DIGIT.test(character)) return 'arabic digit';
  if (DIGIT.test(character)) return 'digit';
  if (MARK.test(character)) return 'mark';
  if (SIGN.test(character)) return 'other';
  if (LEFTWARD.test(character)) return 'leftward';
  if (DIRECTED.test(character)) return 'foreign';
  return /[\p{L}\p{N}\p{Mc}]/u.test(character) && !UNDIRECTED.test(character) ? 'foreign' : 'other';
}

/// Whether a label goes in one direction: with letters or digits that go to the left there may be none that go to the
/// right, and only digits of one kind; and it ends with one of these.
function directionFits(label) {
  const classes = Array.from(label, classOf);
  const has = (name) => classes.includes(name);
  if (!has('leftward') && !has('arabic digit')) return true;
  if (has('foreign') || (has('digit') && has('arabic digit'))) return false;
  while (classes[classes.length - 1] === 'mark') classes.pop();
  return classes[classes.length - 1] !== 'other';
}

module.exports = { joinersFit, directionFits };
