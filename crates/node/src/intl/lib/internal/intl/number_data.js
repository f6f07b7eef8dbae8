// Currencies and units in English.
'use strict';

// Digits behind the point, where they are not two.
exports.digits = { __proto__: null };
for (const code of ('AFN ALL BIF CLP COP DJF GNF HUF IDR IQD IRR ISK JPY KMF KPW KRW LAK LBP MGA MMK PKR PYG RWF SLL SOS SYP UGX ' +
  'VND VUV XAF XOF XPF YER').split(' ')) exports.digits[code] = 0;
for (const code of 'BHD JOD KWD LYD OMR TND'.split(' ')) exports.digits[code] = 3;

// Code, symbol, narrow symbol, name of one, name of more; a symbol that is missing is the code.
exports.currencies = { __proto__: null };
for (const line of `USD|$|$|US dollar|US dollars
EUR|€|€|euro|euros
GBP|£|£|British pound|British pounds
JPY|¥|¥|Japanese yen|Japanese yen
CHF|||Swiss franc|Swiss francs
CAD|CA$|$|Canadian dollar|Canadian dollars
AUD|A$|$|Australian dollar|Australian dollars
NZD|NZ$|$|New Zealand dollar|New Zealand dollars
CNY|CN¥|¥|Chinese yuan|Chinese yuan
INR|₹|₹|Indian rupee|Indian rupees
KRW|₩|₩|South Korean won|South Korean won
MXN|MX$|$|Mexican peso|Mexican pesos
BRL|R$|R$|Brazilian real|Brazilian reals
HKD|HK$|$|Hong Kong dollar|Hong Kong dollars
TWD|NT$|$|New Taiwan dollar|New Taiwan dollars
ILS|₪|₪|Israeli new shekel|Israeli new shekels
VND|₫|₫|Vietnamese dong|Vietnamese dong
SEK||kr|Swedish krona|Swedish kronor
NOK||kr|Norwegian krone|Norwegian kroner
DKK||kr|Danish krone|Danish kroner
PLN||zł|Polish zloty|Polish zlotys
CZK||Kč|Czech koruna|Czech korunas
HUF||Ft|Hungarian forint|Hungarian forints
RUB||₽|Russian ruble|Russian rubles
TRY||₺|Turkish lira|Turkish Lira
ZAR||R|South African rand|South African rand
SGD||$|Singapore dollar|Singapore dollars
THB||฿|Thai baht|Thai baht
PHP|₱|₱|Philippine peso|Philippine pesos
IDR||Rp|Indonesian rupiah|Indonesian rupiahs
MYR||RM|Malaysian ringgit|Malaysian ringgits
UAH||₴|Ukrainian hryvnia|Ukrainian hryvnias
AED|||UAE dirham|UAE dirhams
SAR|||Saudi riyal|Saudi riyals
EGP||E£|Egyptian pound|Egyptian pounds
NGN||₦|Nigerian naira|Nigerian nairas
KES|||Kenyan shilling|Kenyan shillings
ARS||$|Argentine peso|Argentine pesos
CLP||$|Chilean peso|Chilean pesos
COP||$|Colombian peso|Colombian pesos
PEN|||Peruvian sol|Peruvian soles
KWD|||Kuwaiti dinar|Kuwaiti dinars
BHD|||Bahraini dinar|Bahraini dinars
TND|||Tunisian dinar|Tunisian dinars
ISK||kr|Icelandic króna|Icelandic krónur
XAF|FCFA|FCFA|Central African CFA franc|Central African CFA francs
XOF|F\u202FCFA|F\u202FCFA|West African CFA franc|West African CFA francs
XPF|CFPF|CFPF|CFP franc|CFP francs
XCD|EC$|$|East Caribbean dollar|East Caribbean dollars`.split('\n')) {
  const [code, symbol, narrow, one, other] = line.split('|');
  exports.currencies[code] = { symbol: symbol || code, narrow: narrow || code, one, other };
}
exports.british = { __proto__: null, USD: 'US$', JPY: 'JP¥' };

// Unit, short for one, short for more, narrow, long for one, long for more. A short or narrow form that
// begins with a degree or percent sign touches its number.
exports.units = readUnits(null, `acre|ac|ac|ac|acre|acres
bit|bit|bit|bit|bit|bits
byte|byte|byte|B|byte|bytes
celsius|°C|°C|°C|degree Celsius|degrees Celsius
centimeter|cm|cm|cm|centimeter|centimeters
day|day|days|d|day|days
degree|deg|deg|°|degree|degrees
fahrenheit|°F|°F|°|degree Fahrenheit|degrees Fahrenheit
fluid-ounce|fl oz|fl oz|fl oz|fluid ounce|fluid ounces
foot|ft|ft|′|foot|feet
gallon|gal|gal|gal|gallon|gallons
gigabit|Gb|Gb|Gb|gigabit|gigabits
gigabyte|GB|GB|GB|gigabyte|gigabytes
gram|g|g|g|gram|grams
hectare|ha|ha|ha|hectare|hectares
hour|hr|hr|h|hour|hours
inch|in|in|″|inch|inches
kilobit|kb|kb|kb|kilobit|kilobits
kilobyte|kB|kB|kB|kilobyte|kilobytes
kilogram|kg|kg|kg|kilogram|kilograms
kilometer|km|km|km|kilometer|kilometers
liter|L|L|L|liter|liters
megabit|Mb|Mb|Mb|megabit|megabits
megabyte|MB|MB|MB|megabyte|megabytes
meter|m|m|m|meter|meters
microsecond|μs|μs|μs|microsecond|microseconds
mile|mi|mi|mi|mile|miles
mile-scandinavian|smi|smi|smi|mile-scandinavian|miles-scandinavian
milliliter|mL|mL|mL|milliliter|milliliters
millimeter|mm|mm|mm|millimeter|millimeters
millisecond|ms|ms|ms|millisecond|milliseconds
minute|min|min|m|minute|minutes
month|mth|mths|m|month|months
nanosecond|ns|ns|ns|nanosecond|nanoseconds
ounce|oz|oz|oz|ounce|ounces
percent|%|%|%|percent|percent
petabyte|PB|PB|PB|petabyte|petabytes
pound|lb|lb|#|pound|pounds
second|sec|sec|s|second|seconds
stone|st|st|st|stone|stones
terabit|Tb|Tb|Tb|terabit|terabits
terabyte|TB|TB|TB|terabyte|terabytes
week|wk|wks|w|week|weeks
yard|yd|yd|yd|yard|yards
year|yr|yrs|y|year|years`);

// Where the British differ.
exports.britishUnits = readUnits(exports.units, `centimeter|cm|cm|cm|centimetre|centimetres
fahrenheit|°F|°F|°F|degree Fahrenheit|degrees Fahrenheit
fluid-ounce|US fl oz|US fl oz|US fl oz|US fluid ounce|US fluid ounces
gallon|US gal|US gal|USgal|US gallon|US gallons
hour|hr|hrs|h|hour|hours
kilometer|km|km|km|kilometre|kilometres
liter|l|l|l|litre|litres
meter|m|m|m|metre|metres
mile-scandinavian|smi|smi|smi|Scandinavian mile|Scandinavian miles
milliliter|ml|ml|ml|millilitre|millilitres
millimeter|mm|mm|mm|millimetre|millimetres
minute|min|mins|m|minute|minutes
percent|%|%|%|per cent|per cent
pound|lb|lb|lb|pound|pounds
second|sec|secs|s|second|seconds
stone|st|st|st|stone|stone`);

function readUnits(others, table) {
  const units = { __proto__: others };
  for (const line of table.split('\n')) {
    const [unit, short, shorts, narrow, long, longs] = line.split('|');
    units[unit] = { short: [short, shorts], narrow: [narrow, narrow], long: [long, longs] };
  }
  return units;
}
