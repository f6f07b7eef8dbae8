// TextDecoder with the encodings of East Asia: names, pieces, what is not well formed.
'use strict';
const hex = (text) => Uint8Array.from(text.match(/../g), (byte) => parseInt(byte, 16));
for (const label of ['gbk', 'GB2312', ' chinese ', 'gb18030', 'big5', 'Big5-HKSCS', 'euc-jp', 'iso-2022-jp', 'shift_jis', 'x-sjis', 'ms932', 'euc-kr', 'ks_c_5601-1987', 'windows-949',
  'replacement', 'hz-gb-2312', 'iso-2022-kr', 'x-user-defined', 'nothing']) {
  try {
    console.log(label, new TextDecoder(label).encoding);
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}
const texts = {
  'gbk': 'c4e3bac3a3acb1b1bea9', 'gb18030': 'c4e38130813082308130', 'big5': 'a741a66ea141', 'euc-jp': 'c6fccbdcb8ecb1', 'iso-2022-jp': '1b2442467c4b5c1b284261',
  'shift_jis': '93fa967b8cea61b1', 'euc-kr': 'c7d1b1b9becc20612162',
};
for (const [encoding, text] of Object.entries(texts)) {
  const bytes = hex(text);
  const decoder = new TextDecoder(encoding);
  const whole = decoder.decode(bytes);
  let pieces = '';
  for (const byte of bytes) pieces += decoder.decode(Uint8Array.of(byte), { stream: true });
  pieces += decoder.decode();
  console.log(encoding, JSON.stringify(whole), pieces === whole, decoder.decode(new Uint8Array()) === '');
}
for (const [encoding, text] of [['euc-jp', 'a4'], ['shift_jis', '82'], ['gb18030', '8130'], ['euc-kr', 'ff']]) {
  console.log(encoding, new TextDecoder(encoding).decode(hex(text)).includes('\ufffd'));
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    decoder.decode(hex(text));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
  console.log(decoder.decode(hex('6f6b')), decoder.fatal);
}
