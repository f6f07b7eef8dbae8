// Names of time zones in English, as Node 20.20.2 with ICU 78.2 has them.
// Written by scripts/zone-names.mjs; not to be edited.
'use strict';

// Sets of names, by number: long, short in American English, short in British English, where an empty name
// is the offset from GMT; or the names for standard and summer time that Date shows. ~ is an apostrophe.
exports.names = "Greenwich Mean Time|GMT|GMT\nGreenwich Mean Time|Greenwich Mean Time\nEast Africa Time||\nEast Africa Time|East Africa Time\nWestern European Standard Time||WET\nWestern European Summer Time||WEST\nCentral European Standard Time||CET\nCentral European Summer Time||CEST\nCentral European Standard Time|Central European Summer Time\nWest Africa Time||\nWest Africa Time|West Africa Time\nCentral Africa Time||\nCentral Africa Time|Central Africa Time\nEastern European Standard Time||EET\nEastern European Summer Time||EEST\nEastern European Standard Time|Eastern European Summer Time\nGMT+00:00|GMT+01:00\nSouth Africa Standard Time||\nSouth Africa Standard Time|South Africa Standard Time\nCentral Africa Time|GMT+02:00\nWest Africa Time|GMT+01:00\nHawaii-Aleutian Standard Time|HAST|\nHawaii-Aleutian Daylight Time|HADT|\nHawaii-Aleutian Standard Time|Hawaii-Aleutian Daylight Time\nAlaska Standard Time|AKST|\nAlaska Daylight Time|AKDT|\nAlaska Standard Time|Alaska Daylight Time\nAtlantic Standard Time|AST|\nAtlantic Standard Time|Atlantic Standard Time\nBrasilia Standard Time||\nBrasilia Summer Time||\nBrasilia Standard Time|Brasilia Summer Time\nArgentina Standard Time||\nArgentina Summer Time||\nWestern Argentina Standard Time||\nArgentina Standard Time|Argentina Summer Time\nWestern Argentina Summer Time||\nParaguay Standard Time||\nParaguay Summer Time||\nParaguay Standard Time|Paraguay Summer Time\nMountain Standard Time|MST|\nMountain Daylight Time|MDT|\nCentral Daylight Time|CDT|\nCentral Standard Time|CST|\nCentral Standard Time|Central Daylight Time\nAtlantic Daylight Time|ADT|\nAtlantic Standard Time|Atlantic Daylight Time\nAmazon Standard Time||\nAmazon Summer Time||\nAmazon Standard Time|Amazon Summer Time\nColombia Standard Time||\nColombia Summer Time||\nColombia Standard Time|Colombia Summer Time\nMountain Standard Time|Mountain Daylight Time\nEastern Standard Time|EST|\nEastern Daylight Time|EDT|\nEastern Standard Time|Eastern Daylight Time\nVenezuela Time||\nVenezuela Time|Venezuela Time\nFrench Guiana Time||\nFrench Guiana Time|French Guiana Time\nEastern Standard Time|Eastern Standard Time\nMexican Pacific Daylight Time||\nMexican Pacific Standard Time||\nChile Summer Time||\nChile Standard Time||\nGMT-03:00|GMT-03:00\nMountain Standard Time|Mountain Standard Time\nWest Greenland Standard Time||\nWest Greenland Summer Time||\nGreenwich Mean Time|GMT+00:00\nPacific Standard Time|PST|\nPacific Daylight Time|PDT|\nYukon Time||\nYukon Time|GMT-07:00\nAcre Standard Time||\nAcre Summer Time||\nAcre Standard Time|Acre Summer Time\nGreenland Standard Time||\nGreenland Summer Time||\nGreenland Standard Time|Greenland Summer Time\nEcuador Time||\nEcuador Time|GMT-05:00\nGuyana Time||\nGuyana Time|Guyana Time\nCuba Standard Time||\nCuba Daylight Time||\nCuba Standard Time|Cuba Daylight Time\nMexican Pacific Standard Time|Mexican Pacific Daylight Time\nBolivia Time||\nBolivia Time|Bolivia Time\nPeru Standard Time||\nPeru Summer Time||\nPeru Standard Time|Peru Summer Time\nPacific Standard Time|Pacific Daylight Time\nSt. Pierre & Miquelon Standard Time||\nSt. Pierre & Miquelon Daylight Time||\nSt. Pierre & Miquelon Standard Time|St. Pierre & Miquelon Daylight Time\nUruguay Standard Time||\nUruguay Summer Time||\nUruguay Standard Time|Uruguay Summer Time\nFernando de Noronha Standard Time||\nFernando de Noronha Summer Time||\nFernando de Noronha Standard Time|Fernando de Noronha Summer Time\nSuriname Time||\nSuriname Time|Suriname Time\nCentral Standard Time|Central Standard Time\nChile Standard Time|Chile Summer Time\nEast Greenland Summer Time||\nEast Greenland Standard Time||\nNewfoundland Standard Time||\nNewfoundland Daylight Time||\nNewfoundland Standard Time|Newfoundland Daylight Time\nAustralian Western Standard Time||\nCasey Time||\nAustralian Western Standard Time|Australian Western Standard Time\nDavis Time||\nDavis Time|Davis Time\nDumont d~Urville Time||\nDumont d~Urville Time|Dumont d~Urville Time\nAustralian Eastern Daylight Time||\nAustralian Eastern Standard Time||\nAustralian Eastern Standard Time|Australian Eastern Daylight Time\nMawson Time||\nMawson Time|Mawson Time\nNew Zealand Standard Time||\nNew Zealand Daylight Time||\nNew Zealand Standard Time|New Zealand Daylight Time\nRothera Time||\nRothera Time|Rothera Time\nSyowa Time||\nSyowa Time|Syowa Time\nGreenwich Mean Time|GMT+02:00\nVostok Time||\nVostok Time|Vostok Time\nArabian Standard Time||\nArabian Standard Time|Arabian Standard Time\nAlmaty Standard Time||\nAlmaty Summer Time||\nEast Kazakhstan Time||\nKazakhstan Time||\nKazakhstan Time|GMT+05:00\nGMT+03:00|GMT+03:00\nAnadyr Standard Time||\nAnadyr Summer Time||\nMagadan Summer Time||\nMagadan Standard Time||\nKamchatka Standard Time||\nKamchatka Standard Time|Kamchatka Summer Time\nAqtau Standard Time||\nAqtau Summer Time||\nWest Kazakhstan Time||\nAqtobe Standard Time||\nAqtobe Summer Time||\nTurkmenistan Standard Time||\nTurkmenistan Standard Time|Turkmenistan Summer Time\nArabian Daylight Time||\nArabian Standard Time|Arabian Daylight Time\nGulf Standard Time||GST\nAzerbaijan Summer Time||\nAzerbaijan Standard Time||\nAzerbaijan Standard Time|Azerbaijan Summer Time\nIndochina Time||\nIndochina Time|Indochina Time\nKrasnoyarsk Standard Time||\nKrasnoyarsk Standard Time|Krasnoyarsk Summer Time\nKyrgyzstan Time||\nKyrgyzstan Time|GMT+06:00\nBrunei Time||\nBrunei Time|Brunei Time\nIndia Standard Time||\nIndia Standard Time|India Standard Time\nYakutsk Standard Time||\nYakutsk Summer Time||\nIrkutsk Standard Time||\nYakutsk Standard Time|Yakutsk Summer Time\nLanka Time||\nBangladesh Standard Time||\nBangladesh Summer Time||\nBangladesh Standard Time|Bangladesh Summer Time\nTimor-Leste Time||\nCentral Indonesia Time||\nTimor-Leste Time|Timor-Leste Time\nGulf Standard Time|Gulf Standard Time\nTajikistan Time||\nTajikistan Time|GMT+05:00\nIsrael Standard Time||\nIsrael Daylight Time||\nHong Kong Standard Time||\nHong Kong Summer Time||\nHong Kong Standard Time|Hong Kong Summer Time\nKhovd Standard Time||\nKhovd Summer Time||\nKhovd Standard Time|Khovd Summer Time\nIrkutsk Summer Time||\nIrkutsk Standard Time|Irkutsk Summer Time\nWestern Indonesia Time||\nWestern Indonesia Time|Western Indonesia Time\nEastern Indonesia Time||\nEastern Indonesia Time|Eastern Indonesia Time\nIsrael Standard Time|Israel Daylight Time\nAfghanistan Time||\nAfghanistan Time|Afghanistan Time\nKamchatka Summer Time||\nPakistan Standard Time||\nPakistan Summer Time||\nPakistan Standard Time|Pakistan Summer Time\nNepal Time||\nNepal Time|Nepal Time\nVladivostok Standard Time||\nVladivostok Summer Time||\nKrasnoyarsk Summer Time||\nMalaysia Time||\nMalaysia Time|Malaysia Time\nMacao Standard Time||\nMacao Summer Time||\nChina Standard Time||\nChina Standard Time|China Daylight Time\nMagadan Standard Time|Magadan Summer Time\nCentral Indonesia Time|Central Indonesia Time\nPhilippine Standard Time||\nPhilippine Summer Time||\nPhilippine Standard Time|Philippine Summer Time\nNovosibirsk Summer Time||\nNovosibirsk Standard Time||\nOmsk Standard Time||\nOmsk Summer Time||\nOmsk Standard Time|Omsk Summer Time\nKorean Standard Time||\nNorth Korea Time||\nKorean Standard Time|Korean Standard Time\nKyzylorda Standard Time||\nKyzylorda Summer Time||\nMyanmar Time||\nMyanmar Time|Myanmar Time\nSakhalin Standard Time||\nSakhalin Summer Time||\nUzbekistan Summer Time||\nUzbekistan Standard Time||\nUzbekistan Standard Time|Uzbekistan Summer Time\nKorean Daylight Time||\nKorean Standard Time|Korean Daylight Time\nChina Daylight Time||\nSingapore Standard Time||\nSingapore Standard Time|Singapore Standard Time\nTaiwan Standard Time||\nTaiwan Daylight Time||\nTaiwan Standard Time|Taiwan Daylight Time\nGeorgia Summer Time||\nGeorgia Standard Time||\nGeorgia Standard Time|Georgia Summer Time\nIran Standard Time||\nIran Daylight Time||\nIran Standard Time|Iran Daylight Time\nBhutan Time||\nBhutan Time|Bhutan Time\nJapan Standard Time||\nJapan Standard Time|Japan Standard Time\nUlaanbaatar Standard Time||\nUlaanbaatar Summer Time||\nUlaanbaatar Standard Time|Ulaanbaatar Summer Time\nGMT+06:00|GMT+06:00\nVladivostok Standard Time|Vladivostok Summer Time\nYekaterinburg Standard Time||\nYekaterinburg Summer Time||\nYekaterinburg Standard Time|Yekaterinburg Summer Time\nArmenia Summer Time||\nArmenia Standard Time||\nArmenia Standard Time|Armenia Summer Time\nAzores Standard Time||\nAzores Summer Time||\nAzores Standard Time|Azores Summer Time\nWestern European Standard Time|Western European Summer Time\nCape Verde Standard Time||\nCape Verde Standard Time|Cape Verde Standard Time\nSouth Georgia Time||\nSouth Georgia Time|South Georgia Time\nFalkland Islands Standard Time||\nFalkland Islands Summer Time||\nFalkland Islands Standard Time|Falkland Islands Summer Time\nAustralian Central Standard Time||\nAustralian Central Daylight Time||\nAustralian Central Standard Time|Australian Central Daylight Time\nAustralian Central Standard Time|Australian Central Standard Time\nAustralian Central Western Standard Time||\nAustralian Central Western Daylight Time||\nAustralian Central Western Standard Time|Australian Central Western Daylight Time\nLord Howe Standard Time||\nLord Howe Daylight Time||\nLord Howe Standard Time|Lord Howe Daylight Time\nAustralian Western Daylight Time||\nAustralian Western Standard Time|Australian Western Daylight Time\nMoscow Summer Time||\nMoscow Standard Time||\nSamara Standard Time||\nSamara Standard Time|Samara Summer Time\nIrish Standard Time||\nGreenwich Mean Time|Irish Standard Time\nGreenwich Mean Time|GMT+01:00\nTürkiye Standard Time||\nTürkiye Summer Time||\nTürkiye Standard Time|Türkiye Summer Time\nFurther-eastern European Time||\nMoscow Standard Time|Moscow Summer Time\nBritish Summer Time||BST\nGreenwich Mean Time|British Summer Time\nSamara Summer Time||\nVolgograd Standard Time||\nVolgograd Summer Time||\nIndian Ocean Time||\nIndian Ocean Time|Indian Ocean Time\nChristmas Island Time||\nChristmas Island Time|Christmas Island Time\nCocos Islands Time||\nCocos Islands Time|Cocos Islands Time\nFrench Southern & Antarctic Time||\nFrench Southern & Antarctic Time|French Southern & Antarctic Time\nSeychelles Time||\nSeychelles Time|Seychelles Time\nMaldives Time||\nMaldives Time|Maldives Time\nMauritius Standard Time||\nMauritius Summer Time||\nMauritius Standard Time|Mauritius Summer Time\nRéunion Time||\nRéunion Time|Réunion Time\nSamoa Standard Time||\nSamoa Daylight Time||\nSamoa Standard Time|Samoa Daylight Time\nPapua New Guinea Time||\nGMT+11:00|GMT+11:00\nChatham Standard Time||\nChatham Daylight Time||\nChatham Standard Time|Chatham Daylight Time\nEaster Island Summer Time||\nEaster Island Standard Time||\nEaster Island Standard Time|Easter Island Summer Time\nVanuatu Standard Time||\nVanuatu Summer Time||\nVanuatu Standard Time|Vanuatu Summer Time\nPhoenix Islands Time||\nPhoenix Islands Time|Phoenix Islands Time\nTokelau Time||\nTokelau Time|Tokelau Time\nFiji Standard Time||\nFiji Summer Time||\nFiji Standard Time|Fiji Summer Time\nTuvalu Time||\nTuvalu Time|Tuvalu Time\nGalapagos Time||\nGalapagos Time|GMT-06:00\nGambier Time||\nGambier Time|Gambier Time\nSolomon Islands Time||\nSolomon Islands Time|Solomon Islands Time\nGuam Standard Time||\nChamorro Standard Time||\nChamorro Standard Time|GMT+10:00\nHawaii-Aleutian Standard Time|HST|\nHawaii-Aleutian Standard Time|Hawaii-Aleutian Standard Time\nLine Islands Time||\nLine Islands Time|Line Islands Time\nKosrae Time||\nKosrae Time|Kosrae Time\nMarshall Islands Time||\nMarshall Islands Time|Marshall Islands Time\nMarquesas Time||\nMarquesas Time|Marquesas Time\nAmerican Samoa Standard Time||\nAmerican Samoa Standard Time|American Samoa Standard Time\nNauru Time||\nNauru Time|Nauru Time\nNiue Time||\nNiue Time|Niue Time\nNorfolk Island Standard Time||\nNorfolk Island Daylight Time||\nNorfolk Island Standard Time|Norfolk Island Daylight Time\nNew Caledonia Standard Time||\nNew Caledonia Summer Time||\nNew Caledonia Standard Time|New Caledonia Summer Time\nPalau Time||\nPalau Time|Palau Time\nPitcairn Time||\nPitcairn Time|Pitcairn Time\nPohnpei Time||\nPohnpei Time|Pohnpei Time\nPapua New Guinea Time|Papua New Guinea Time\nCook Islands Standard Time||\nCook Islands Summer Time||\nCook Islands Standard Time|Cook Islands Summer Time\nNorthern Mariana Islands Time||\nTahiti Time||\nTahiti Time|Tahiti Time\nGilbert Islands Time||\nGilbert Islands Time|Gilbert Islands Time\nTonga Standard Time||\nTonga Summer Time||\nTonga Standard Time|Tonga Summer Time\nChuuk Time||\nChuuk Time|Chuuk Time\nWake Island Time||\nWake Island Time|Wake Island Time\nWallis & Futuna Time||\nWallis & Futuna Time|Wallis & Futuna Time";

// A line for each zone, its fields between semicolons: its name; the number of the set that Date shows; the
// generic names, like a set above or all the same; periods, each with the second at which it starts and the
// number of a set for each offset, in minutes, that has names.
exports.zones = `
Africa/Abidjan;1;Greenwich Mean Time|GMT|GMT;0:0=0
Africa/Accra;1;Greenwich Mean Time|GMT|GMT;0:0=0
Africa/Addis_Ababa;3;East Africa Time|Ethiopia Time|Ethiopia Time;0:180=2
Africa/Algiers;8;Central European Standard Time|Algeria Time|CET;0:0=4,60=5 246236400:60=6,120=7,0=4 325468800:60=5,0=4 357523200:60=6
Africa/Asmera;3;East Africa Time|Eritrea Time|Eritrea Time;0:180=2
Africa/Bamako;1;Greenwich Mean Time|GMT|GMT;0:0=0
Africa/Bangui;10;West Africa Time|Central African Republic Time|Central African Republic Time;0:60=9
Africa/Banjul;1;Greenwich Mean Time|GMT|GMT;0:0=0
Africa/Bissau;1;Greenwich Mean Time|GMT|GMT;-2840140800:0=0
Africa/Blantyre;12;Central Africa Time|Malawi Time|Malawi Time;0:120=11
Africa/Brazzaville;10;West Africa Time|Congo - Brazzaville Time|Congo - Brazzaville Time;0:60=9
Africa/Bujumbura;12;Central Africa Time|Burundi Time|Burundi Time;0:120=11
Africa/Cairo;15;Eastern European Time|Egypt Time|EET;0:120=13,180=14
Africa/Casablanca;16;Morocco Time;0:0=4,60=5 448243200:60=6,0=4 1212278400:60=5,0=4 1540692000:
Africa/Ceuta;8;Central European Time|Ceuta Time|CET;0:0=4,60=5 448243200:60=6,120=7
Africa/Conakry;1;Greenwich Mean Time|GMT|GMT;0:0=0
Africa/Dakar;1;Greenwich Mean Time|GMT|GMT;0:0=0
Africa/Dar_es_Salaam;3;East Africa Time|Tanzania Time|Tanzania Time;0:180=2
Africa/Djibouti;3;East Africa Time|Djibouti Time|Djibouti Time;0:180=2
Africa/Douala;10;West Africa Time|Cameroon Time|Cameroon Time;0:60=9
Africa/El_Aaiun;16;Western Sahara Time;-2840140800:0=4,60=5 1540692000:
Africa/Freetown;1;Greenwich Mean Time|GMT|GMT;0:0=0
Africa/Gaborone;12;Central Africa Time|Botswana Time|Botswana Time;0:120=11
Africa/Harare;12;Central Africa Time|Zimbabwe Time|Zimbabwe Time;0:120=11
Africa/Johannesburg;18;South Africa Standard Time|South Africa Time|South Africa Time;0:120=17
Africa/Juba;19;Central Africa Time|South Sudan Time|South Sudan Time;0:120=11 947930400:180=2,120=11
Africa/Kampala;3;East Africa Time|Uganda Time|Uganda Time;0:180=2
Africa/Khartoum;19;Central Africa Time|Sudan Time|Sudan Time;0:120=11 947930400:180=2,120=11
Africa/Kigali;12;Central Africa Time|Rwanda Time|Rwanda Time;0:120=11
Africa/Kinshasa;10;West Africa Time|Kinshasa Time|Kinshasa Time;0:60=9
Africa/Lagos;10;West Africa Time|Nigeria Time|Nigeria Time;0:60=9
Africa/Libreville;10;West Africa Time|Gabon Time|Gabon Time;0:60=9
Africa/Lome;1;Greenwich Mean Time|GMT|GMT;0:0=0
Africa/Luanda;10;West Africa Time|Angola Time|Angola Time;0:60=9
Africa/Lubumbashi;12;Central Africa Time|Lubumbashi Time|Lubumbashi Time;0:120=11
Africa/Lusaka;12;Central Africa Time|Zambia Time|Zambia Time;0:120=11
Africa/Malabo;10;West Africa Time|Equatorial Guinea Time|Equatorial Guinea Time;0:60=9
Africa/Maputo;12;Central Africa Time|Mozambique Time|Mozambique Time;0:120=11
Africa/Maseru;18;South Africa Standard Time|Lesotho Time|Lesotho Time;0:120=17
Africa/Mbabane;18;South Africa Standard Time|Eswatini Time|Eswatini Time;0:120=17
Africa/Mogadishu;3;East Africa Time|Somalia Time|Somalia Time;0:180=2
Africa/Monrovia;1;Greenwich Mean Time|GMT|GMT;63593100:0=0
Africa/Nairobi;3;East Africa Time|Kenya Time|Kenya Time;0:180=2
Africa/Ndjamena;20;West Africa Time|Chad Time|Chad Time;0:60=9
Africa/Niamey;10;West Africa Time|Niger Time|Niger Time;0:60=9
Africa/Nouakchott;1;Greenwich Mean Time|GMT|GMT;0:0=0
Africa/Ouagadougou;1;Greenwich Mean Time|GMT|GMT;0:0=0
Africa/Porto-Novo;10;West Africa Time|Benin Time|Benin Time;0:60=9
Africa/Sao_Tome;1;Greenwich Mean Time|GMT|GMT;0:0=0,60=9
Africa/Tripoli;15;Eastern European Standard Time|Libya Time|EET;0:120=13,60=6 386463600:120=7,60=6 641775600:120=13,60=6 860108400:120=7 875916000:120=13,60=6 1364515200:120=7 1382659200:120=13
Africa/Tunis;8;Central European Standard Time|Tunisia Time|CET;0:60=6,120=7
Africa/Windhoek;19;Central Africa Time|Namibia Time|Namibia Time;0:120=17 637970400:120=11,60=9 778640400:60=9 1508796000:120=11
America/Adak;23;Hawaii-Aleutian Time|HAT|Adak Time;439034400:-600=21,-540=22
America/Anchorage;26;Alaska Time|AKT|Anchorage Time;439030800:-540=24,-480=25
America/Anguilla;28;Atlantic Standard Time|AST|Anguilla Time;0:-240=27
America/Antigua;28;Atlantic Standard Time|AST|Antigua & Barbuda Time;0:-240=27
America/Araguaina;31;Brasilia Standard Time|Araguaína Time|Araguaína Time;0:-180=29,-120=30
America/Argentina/La_Rioja;35;Argentina Standard Time|La Rioja Time|La Rioja Time;0:-180=32,-120=33,-240=34 938919600:-180=33 952052400:-180=32,-240=34,-120=33
America/Argentina/Rio_Gallegos;35;Argentina Standard Time|Río Gallegos Time|Río Gallegos Time;0:-180=32,-120=33 938919600:-180=33 952052400:-180=32,-240=34,-120=33
America/Argentina/Salta;35;Argentina Standard Time|Salta Time|Salta Time;0:-180=32,-120=33 938919600:-180=33 952052400:-180=32,-120=33
America/Argentina/San_Juan;35;Argentina Standard Time|San Juan Time|San Juan Time;0:-180=32,-120=33,-240=34 938919600:-180=33 952052400:-180=32,-240=34,-120=33
America/Argentina/San_Luis;35;Argentina Standard Time|San Luis Time|San Luis Time;0:-180=32,-120=33,-240=34 655963200:-180=36,-240=34 675748800:-180=32 938919600:-180=36 952052400:-180=32,-240=34,-120=33 1200880800:-180=36,-240=34 1255233600:-180=32
America/Argentina/Tucuman;35;Argentina Standard Time|Tucumán Time|Tucumán Time;0:-180=32,-120=33 938919600:-180=33 952052400:-180=32,-240=34,-120=33
America/Argentina/Ushuaia;35;Argentina Standard Time|Ushuaia Time|Ushuaia Time;0:-180=32,-120=33 938919600:-180=33 952052400:-180=32,-120=33
America/Aruba;28;Atlantic Standard Time|AST|Aruba Time;0:-240=27
America/Asuncion;39;Paraguay Time;0:-240=37,-180=37 181368000:-180=38,-240=37 1728961200:-180=37
America/Bahia;31;Brasilia Standard Time|Bahia Time|Bahia Time;0:-180=29,-120=30
America/Bahia_Banderas;44;Central Standard Time|CST|Bahía de Banderas Time;0:-420=40,-360=41,-300=42 1288508400:-360=43,-300=42
America/Barbados;46;Atlantic Standard Time|AST|Barbados Time;0:-240=27,-180=45
America/Belem;31;Brasilia Standard Time|Belém Time|Belém Time;0:-180=29,-120=30
America/Belize;44;Central Standard Time|CST|Belize Time;0:-360=43,-300=42
America/Blanc-Sablon;28;Atlantic Standard Time|AST|Blanc-Sablon Time;0:-240=27
America/Boa_Vista;49;Amazon Standard Time|Boa Vista Time|Boa Vista Time;0:-240=47,-180=48
America/Bogota;52;Colombia Standard Time|Colombia Time|Colombia Time;0:-300=50,-240=51
America/Boise;53;Mountain Time|MT|Boise Time;0:-420=40,-360=41
America/Buenos_Aires;35;Argentina Standard Time|Buenos Aires Time|Buenos Aires Time;0:-180=32,-120=33 938919600:-180=33 952052400:-180=32,-120=33
America/Cambridge_Bay;53;Mountain Time|MT|Cambridge Bay Time;0:-420=40,-360=41 941356800:-360=43,-300=42 972802800:-300=54,-360=43 986115600:-360=41,-420=40
America/Campo_Grande;49;Amazon Standard Time|Campo Grande Time|Campo Grande Time;0:-240=47,-180=48
America/Cancun;56;Eastern Standard Time|EST|Cancún Time;0:-360=43,-300=54 828864000:-300=42,-360=43 877849200:-300=54,-240=55 902037600:-300=42,-360=43 1422777600:-300=54
America/Caracas;58;Venezuela Time;0:-240=57,-270=57
America/Catamarca;35;Argentina Standard Time|Catamarca Time|Catamarca Time;0:-180=32,-120=33 938919600:-180=33 952052400:-180=32,-240=34,-120=33
America/Cayenne;60;French Guiana Time;0:-180=59
America/Cayman;61;Eastern Standard Time|EST|Cayman Islands Time;0:-300=54
America/Chicago;44;Central Time|CT|Chicago Time;0:-360=43,-300=42
America/Chihuahua;44;Central Standard Time|CST|Chihuahua Time;0:-360=43,-300=42 891766800:-360=62,-420=63 1667116800:-360=43
America/Ciudad_Juarez;53;Mountain Time|MT|Ciudad Juárez Time;0:-360=43,-300=42 891766800:-360=62,-420=63 1667116800:-360=43,-420=40 1678611600:-360=41,-420=40
America/Coral_Harbour;61;Eastern Standard Time|EST|Atikokan Time;0:-300=54
America/Cordoba;35;Argentina Standard Time|Córdoba Time|Córdoba Time;0:-180=32,-120=33 938919600:-180=33 952052400:-180=32,-120=33
America/Costa_Rica;44;Central Standard Time|CST|Costa Rica Time;0:-360=43,-300=42
America/Coyhaique;66;Chile Time|Coyhaique Time|Coyhaique Time;0:-180=64,-240=65 1742439600:
America/Creston;67;Mountain Standard Time|MST|Creston Time;0:-420=40
America/Cuiaba;49;Amazon Standard Time|Cuiabá Time|Cuiabá Time;0:-240=47,-180=48
America/Curacao;28;Atlantic Standard Time|AST|Curaçao Time;0:-240=27
America/Danmarkshavn;70;Greenwich Mean Time|GMT|GMT;0:-180=68,-120=69,0=0
America/Dawson;74;Yukon Time|Dawson Time|Dawson Time;120646800:-480=71,-420=72 1604214000:-420=73
America/Dawson_Creek;53;Mountain Standard Time|MST|Dawson Creek Time;0:-480=71,-420=72 84013200:-420=40
America/Denver;53;Mountain Time|MT|Denver Time;0:-420=40,-360=41
America/Detroit;56;Eastern Time|ET|Detroit Time;0:-300=54,-240=55
America/Dominica;28;Atlantic Standard Time|AST|Dominica Time;0:-240=27
America/Edmonton;53;Mountain Time|MT|Edmonton Time;0:-420=40,-360=41
America/Eirunepe;77;Acre Standard Time|Eirunepé Time|Eirunepé Time;0:-300=75,-240=76 1214283600:-240=47,-300=75
America/El_Salvador;44;Central Standard Time|CST|El Salvador Time;0:-360=43,-300=42
America/Fort_Nelson;53;Mountain Standard Time|MST|Fort Nelson Time;0:-480=71,-420=72 1425808800:-420=40
America/Fortaleza;31;Brasilia Standard Time|Fortaleza Time|Fortaleza Time;0:-180=29,-120=30
America/Glace_Bay;46;Atlantic Time|AT|Glace Bay Time;0:-240=27,-180=45
America/Godthab;80;West Greenland Time|Nuuk Time|Nuuk Time;0:-180=68,-120=69 1679792400:-120=68 1711414800:-120=78,-60=79
America/Goose_Bay;46;Atlantic Time|AT|Goose Bay Time;0:-240=27,-180=45
America/Grand_Turk;56;Eastern Time|ET|Turks & Caicos Islands Time;0:-300=54,-240=55 1425798000:-240=27 1520751600:-240=55,-300=54
America/Grenada;28;Atlantic Standard Time|AST|Grenada Time;0:-240=27
America/Guadeloupe;28;Atlantic Standard Time|AST|Guadeloupe Time;0:-240=27
America/Guatemala;44;Central Standard Time|CST|Guatemala Time;0:-360=43,-300=42
America/Guayaquil;82;Ecuador Time;0:-300=81
America/Guyana;84;Guyana Time;0:-225=83,-180=83,-240=83
America/Halifax;46;Atlantic Time|AT|Halifax Time;0:-240=27,-180=45
America/Havana;87;Cuba Time;0:-300=85,-240=86
America/Hermosillo;88;Mexican Pacific Standard Time|Hermosillo Time|Hermosillo Time;0:-420=63,-360=62
America/Indiana/Knox;44;Central Time|CT|Knox, Indiana Time;0:-360=43,-300=42 688546800:-300=54 1143961200:-300=42,-360=43
America/Indiana/Marengo;56;Eastern Time|ET|Marengo, Indiana Time;0:-300=54,-240=55 126687600:-300=42 152089200:-300=54,-240=55
America/Indiana/Petersburg;56;Eastern Time|ET|Petersburg, Indiana Time;0:-360=43,-300=42 247042800:-300=54 1143961200:-300=42,-360=43 1194159600:-300=54,-240=55
America/Indiana/Tell_City;44;Central Time|CT|Tell City, Indiana Time;0:-300=54,-240=55 1143961200:-300=42,-360=43
America/Indiana/Vevay;56;Eastern Time|ET|Vevay, Indiana Time;0:-300=54,-240=55
America/Indiana/Vincennes;56;Eastern Time|ET|Vincennes, Indiana Time;0:-300=54,-240=55 1143961200:-300=42,-360=43 1194159600:-300=54,-240=55
America/Indiana/Winamac;56;Eastern Time|ET|Winamac, Indiana Time;0:-300=54,-240=55 1143961200:-300=42,-360=43,-240=55 1194156000:-300=54,-240=55
America/Indianapolis;56;Eastern Time|ET|Indianapolis Time;0:-300=54,-240=55
America/Inuvik;53;Mountain Time|MT|Inuvik Time;0:-480=71,-420=72,-360=41 309945600:-420=40,-360=41
America/Iqaluit;56;Eastern Time|ET|Iqaluit Time;0:-300=54,-240=55,-360=43 954662400:-300=42 972802800:-300=54,-240=55
America/Jamaica;56;Eastern Standard Time|EST|Jamaica Time;0:-300=54,-240=55
America/Jujuy;35;Argentina Standard Time|Jujuy Time|Jujuy Time;0:-180=32,-120=33 657086400:-120=33 699415200:-180=32,-120=33 938919600:-180=33 952052400:-180=32,-120=33
America/Juneau;26;Alaska Time|AKT|Juneau Time;0:-480=71,-420=72 325677600: 341402400:-480=71,-420=72 439030800:-540=24,-480=25
America/Kentucky/Monticello;56;Eastern Time|ET|Monticello, Kentucky Time;0:-360=43,-300=42 972802800:-300=54,-240=55
America/Kralendijk;28;Atlantic Standard Time|AST|Caribbean Netherlands Time;0:-240=27
America/La_Paz;90;Bolivia Time;0:-240=89
America/Lima;93;Peru Standard Time|Peru Time|Peru Time;0:-300=91,-240=92
America/Los_Angeles;94;Pacific Time|PT|Los Angeles Time;0:-480=71,-420=72
America/Louisville;56;Eastern Time|ET|Louisville Time;0:-300=54,-240=55 126687600:-300=42 152089200:-300=54,-240=55
America/Lower_Princes;28;Atlantic Standard Time|AST|Sint Maarten Time;0:-240=27
America/Maceio;31;Brasilia Standard Time|Maceió Time|Maceió Time;0:-180=29,-120=30
America/Managua;44;Central Standard Time|CST|Nicaragua Time;0:-360=43,-300=54 290584800:-300=42,-360=43 694260000:-300=54,-360=43 1113112800:-300=42,-360=43
America/Manaus;49;Amazon Standard Time|Manaus Time|Manaus Time;0:-240=47,-180=48
America/Marigot;28;Atlantic Standard Time|AST|St Martin Time;0:-240=27
America/Martinique;46;Atlantic Standard Time|AST|Martinique Time;0:-240=27,-180=45
America/Matamoros;44;Central Time|CT|Matamoros Time;0:-360=43,-300=42
America/Mazatlan;88;Mexican Pacific Standard Time|Mazatlán Time|Mazatlán Time;0:-420=63,-360=62
America/Mendoza;35;Argentina Standard Time|Mendoza Time|Mendoza Time;0:-180=32,-120=33 655963200:-120=33 731469600:-180=32 938919600:-180=33 952052400:-180=32,-120=33
America/Menominee;44;Central Time|CT|Menominee Time;0:-300=54 104914800:-300=42,-360=43
America/Merida;44;Central Standard Time|CST|Mérida Time;0:-360=43,-300=54 828864000:-300=42,-360=43
America/Metlakatla;26;Alaska Time|AKT|Metlakatla Time;0:-480=71,-420=72,-540=24 1457866800:-480=25,-540=24 1541325600:-480=71,-540=24 1552215600:-480=25,-540=24
America/Mexico_City;44;Central Standard Time|CST|Mexico City Time;0:-360=43,-300=42
America/Miquelon;97;St. Pierre & Miquelon Time|St. Pierre & Miquelon Time|St Pierre & Miquelon Time;0:-240=27,-180=95,-120=96
America/Moncton;46;Atlantic Time|AT|Moncton Time;0:-240=27,-180=45
America/Monterrey;44;Central Standard Time|CST|Monterrey Time;0:-360=43,-300=42
America/Montevideo;100;Uruguay Standard Time|Uruguay Time|Uruguay Time;0:-180=98,-120=99,-90=99,-150=99
America/Montserrat;28;Atlantic Standard Time|AST|Montserrat Time;0:-240=27
America/Nassau;56;Eastern Time|ET|Bahamas Time;0:-300=54,-240=55
America/New_York;56;Eastern Time|ET|New York Time;0:-300=54,-240=55
America/Nome;26;Alaska Time|AKT|Nome Time;439030800:-540=24,-480=25
America/Noronha;103;Fernando de Noronha Standard Time|Fernando de Noronha Time|Fernando de Noronha Time;0:-120=101,-60=102
America/North_Dakota/Beulah;44;Central Time|CT|Beulah, North Dakota Time;0:-420=40,-360=41 1289116800:-360=43,-300=42
America/North_Dakota/Center;44;Central Time|CT|Center, North Dakota Time;0:-420=40,-360=41 720000000:-360=43,-300=42
America/North_Dakota/New_Salem;44;Central Time|CT|New Salem, North Dakota Time;0:-420=40,-360=41 1067155200:-360=43,-300=42
America/Ojinaga;44;Central Time|CT|Ojinaga Time;0:-360=43,-300=42 891766800:-360=41,-420=40 1667116800:-360=43,-300=42
America/Panama;61;Eastern Standard Time|EST|Panama Time;0:-300=54
America/Paramaribo;105;Suriname Time;185686200:-210=104,-180=104
America/Phoenix;67;Mountain Standard Time|MST|Phoenix Time;0:-420=40
America/Port-au-Prince;56;Eastern Time|ET|Haiti Time;0:-300=54,-240=55
America/Port_of_Spain;28;Atlantic Standard Time|AST|Trinidad & Tobago Time;0:-240=27
America/Porto_Velho;49;Amazon Standard Time|Porto Velho Time|Porto Velho Time;0:-240=47,-180=48
America/Puerto_Rico;28;Atlantic Standard Time|AST|Puerto Rico Time;0:-240=27
America/Punta_Arenas;66;Punta Arenas Time;0:-180=64,-240=65 1480806000:
America/Rankin_Inlet;44;Central Time|CT|Rankin Inlet Time;0:-360=43,-300=42 972802800:-300=54 986112000:-300=42,-360=43
America/Recife;31;Brasilia Standard Time|Recife Time|Recife Time;0:-180=29,-120=30
America/Regina;106;Central Standard Time|CST|Regina Time;0:-360=43
America/Resolute;44;Central Time|CT|Resolute Time;0:-360=43,-300=42 972802800:-300=54 986112000:-300=42,-360=43 1162105200:-300=54 1173600000:-300=42,-360=43
America/Rio_Branco;77;Acre Standard Time|Rio Branco Time|Rio Branco Time;0:-300=75,-240=76 1214283600:-240=47,-300=75
America/Santarem;31;Brasilia Standard Time|Santarém Time|Santarém Time;0:-240=47,-180=48 1214280000:-180=29
America/Santiago;107;Chile Time;0:-180=64,-240=65
America/Santo_Domingo;46;Atlantic Standard Time|AST|Dominican Republic Time;152082000:-240=27,-300=54
America/Sao_Paulo;31;Brasilia Standard Time|São Paulo Time|São Paulo Time;0:-180=29,-120=30
America/Scoresbysund;80;East Greenland Time|Ittoqqortoormiit Time|Ittoqqortoormiit Time;-2840140800:0=108 370400400:-60=109,0=108 1711846800:-60=79,-120=78
America/Sitka;26;Alaska Time|AKT|Sitka Time;0:-480=71,-420=72 439030800:-540=24,-480=25
America/St_Barthelemy;28;Atlantic Standard Time|AST|St Barthélemy Time;0:-240=27
America/St_Johns;112;Newfoundland Time|St. John~s Time|St John~s Time;0:-210=110,-150=111,-90=111
America/St_Kitts;28;Atlantic Standard Time|AST|St Kitts & Nevis Time;0:-240=27
America/St_Lucia;28;Atlantic Standard Time|AST|St Lucia Time;0:-240=27
America/St_Thomas;28;Atlantic Standard Time|AST|US Virgin Islands Time;0:-240=27
America/St_Vincent;28;Atlantic Standard Time|AST|St Vincent & the Grenadines Time;0:-240=27
America/Swift_Current;106;Central Standard Time|CST|Swift Current Time;0:-420=40,-360=43
America/Tegucigalpa;44;Central Standard Time|CST|Honduras Time;0:-360=43,-300=42
America/Thule;46;Atlantic Time|AT|Thule Time;0:-240=27,-180=45
America/Tijuana;94;Pacific Time|PT|Tijuana Time;0:-480=71,-420=72
America/Toronto;56;Eastern Time|ET|Toronto Time;0:-300=54,-240=55
America/Tortola;28;Atlantic Standard Time|AST|British Virgin Islands Time;0:-240=27
America/Vancouver;94;Pacific Time|PT|Vancouver Time;0:-480=71,-420=72
America/Whitehorse;74;Yukon Time|Whitehorse Time|Whitehorse Time;0:-480=71,-420=72 1604214000:-420=73
America/Winnipeg;44;Central Time|CT|Winnipeg Time;0:-360=43,-300=42
America/Yakutat;26;Alaska Time|AKT|Yakutat Time;439030800:-540=24,-480=25
Antarctica/Casey;115;Australian Western Standard Time|Casey Station Time|Casey Station Time;0:480=113,660=114
Antarctica/Davis;117;Davis Time;0:420=116,300=116
Antarctica/DumontDUrville;119;Dumont d~Urville Time|Dumont d~Urville Station Time|Dumont d~Urville Station Time;0:600=118
Antarctica/Macquarie;122;Australian Eastern Time|Macquarie Island Time|Macquarie Island Time;0:660=120,600=121
Antarctica/Mawson;124;Mawson Time|Mawson Station Time|Mawson Station Time;0:360=123,300=123
Antarctica/McMurdo;127;New Zealand Time|McMurdo Station Time|McMurdo Station Time;0:720=125,780=126
Antarctica/Palmer;66;Palmer Land Time;0:-180=32,-120=33,-240=65 403070400:-180=64,-240=65 1480820400:
Antarctica/Rothera;129;Rothera Time|Rothera Station Time|Rothera Station Time;0:0=128,-180=128
Antarctica/Syowa;131;Syowa Time|Showa Station Time|Showa Station Time;0:180=130
Antarctica/Troll;132;Troll Station Time;0:0=0
Antarctica/Vostok;134;Vostok Time|Vostok Station Time|Vostok Station Time;0:420=133,0=133,300=133
Arctic/Longyearbyen;8;Central European Time|Svalbard & Jan Mayen Time|CET;0:60=6,120=7
Asia/Aden;136;Arabian Standard Time|Yemen Time|Yemen Time;0:180=135
Asia/Almaty;141;East Kazakhstan Time|Almaty Time|Almaty Time;0:360=137,420=138 670363200:360=138,300=137 695768400:360=137,420=138 1099166400:360=139,300=140
Asia/Amman;142;Jordan Time;0:120=13,180=14 1666908000:
Asia/Anadyr;148;Kamchatka Standard Time|Anadyr Time|Anadyr Time;0:780=143,840=144 386420400:780=144,720=143 670341600:720=144,660=143 695746800:720=143,780=144 1269698400:720=145,660=146 1301151600:720=147
Asia/Aqtau;141;West Kazakhstan Time|Aktau Time|Aktau Time;692823600:240=149,300=149,360=150 796168800:300=150,240=149 1099173600:300=151 1709229600:300=140
Asia/Aqtobe;141;West Kazakhstan Time|Aqtobe Time|Aqtobe Time;692823600:240=152,300=152,360=153 1099170000:300=151 1709229600:300=140
Asia/Ashgabat;155;Turkmenistan Standard Time|Turkmenistan Time|Turkmenistan Time;695772000:300=154
Asia/Atyrau;141;West Kazakhstan Time|Atyrau Time|Atyrau Time;1099173600:300=151 1709229600:300=140
Asia/Baghdad;157;Arabian Standard Time|Iraq Time|Iraq Time;0:180=135,240=156
Asia/Bahrain;136;Arabian Standard Time|Bahrain Time|Bahrain Time;0:240=158,180=135
Asia/Baku;161;Azerbaijan Standard Time|Azerbaijan Time|Azerbaijan Time;670370400:240=159,180=160 717548400:240=160,300=159
Asia/Bangkok;163;Indochina Time|Thailand Time|Thailand Time;0:420=162
Asia/Barnaul;165;Krasnoyarsk Standard Time|Barnaul Time|Barnaul Time;1459022400:420=164
Asia/Beirut;15;Eastern European Time|Lebanon Time|EET;0:120=13,180=14
Asia/Bishkek;167;Kyrgyzstan Time;683582400:300=166 1123783200:360=166
Asia/Brunei;169;Brunei Time;0:480=168
Asia/Calcutta;171;India Standard Time|India Time|India Time;0:330=170
Asia/Chita;175;Yakutsk Standard Time|Chita Time|Chita Time;0:540=172,600=173 670352400:540=173,480=172 695757600:540=172,600=173 1301158800:600=172 1414256400:480=174,540=172
Asia/Colombo;171;India Standard Time|Sri Lanka Time|Sri Lanka Time;0:330=170,390=176,360=176
Asia/Damascus;142;Syria Time;0:120=13,180=14 1666904400:
Asia/Dhaka;179;Bangladesh Standard Time|Bangladesh Time|Bangladesh Time;38772000:360=177,420=178
Asia/Dili;182;Timor-Leste Time;0:540=180,480=181
Asia/Dubai;183;Gulf Standard Time|United Arab Emirates Time|GST;0:240=158
Asia/Dushanbe;185;Tajikistan Time;684363600:300=184
Asia/Famagusta;15;Eastern European Time|Famagusta Time|EET;0:120=13,180=14 1473282000:120=13 1521939600:180=14,120=13
Asia/Gaza;15;Eastern European Time|Gaza Time|EET;0:120=186,180=187 820447200:120=13,180=14
Asia/Hebron;15;Eastern European Time|Hebron Time|EET;0:120=186,180=187 820447200:120=13,180=14
Asia/Hong_Kong;190;Hong Kong Standard Time|Hong Kong SAR China Time|Hong Kong SAR China Time;0:480=188,540=189
Asia/Hovd;193;Khovd Standard Time|Khovd Time|Khovd Time;0:360=191,420=191,480=192
Asia/Irkutsk;195;Irkutsk Standard Time|Irkutsk Time|Irkutsk Time;0:480=174,540=194 670356000:480=194,420=174 695761200:480=174,540=194 1301162400:540=174,480=174
Asia/Jakarta;197;Western Indonesia Time|Jakarta Time|Jakarta Time;0:420=196
Asia/Jayapura;199;Eastern Indonesia Time|Jayapura Time|Jayapura Time;0:540=198
Asia/Jerusalem;200;Israel Time;0:120=186,180=187
Asia/Kabul;202;Afghanistan Time;0:270=201
Asia/Kamchatka;148;Kamchatka Standard Time|Kamchatka Time|Kamchatka Time;0:720=147,780=203 670341600:720=203,660=147 695746800:720=147,780=203 1269698400:720=203,660=147 1301151600:720=147
Asia/Karachi;206;Pakistan Standard Time|Pakistan Time|Pakistan Time;38775600:300=204,360=205
Asia/Katmandu;208;Nepal Time;0:330=207,345=207
Asia/Khandyga;175;Yakutsk Standard Time|Khandyga Time|Khandyga Time;0:540=172,600=173 670352400:540=173,480=172 695757600:540=172,600=173 1072882800:600=209,660=210 1301155200:660=209,600=172,540=172
Asia/Krasnoyarsk;165;Krasnoyarsk Standard Time|Krasnoyarsk Time|Krasnoyarsk Time;0:420=164,480=211 670359600:420=211,360=164 695764800:420=164,480=211 1301166000:480=164,420=164
Asia/Kuala_Lumpur;213;Malaysia Time;-2840140800:480=212
Asia/Kuching;213;Malaysia Time|Kuching Time|Kuching Time;378662400:480=212
Asia/Kuwait;136;Arabian Standard Time|Kuwait Time|Kuwait Time;0:180=135
Asia/Macau;217;China Standard Time|Macao SAR China Time|Macao SAR China Time;0:480=214,540=215 945619200:480=216
Asia/Magadan;218;Magadan Standard Time|Magadan Time|Magadan Time;0:660=146,720=145 670345200:660=145,600=146 695750400:660=146,720=145 1301151600:720=146,600=146,660=146
Asia/Makassar;219;Central Indonesia Time|Makassar Time|Makassar Time;0:480=181
Asia/Manila;222;Philippine Standard Time|Philippines Time|Philippines Time;0:480=220,540=221
Asia/Muscat;183;Gulf Standard Time|Oman Time|GST;0:240=158
Asia/Nicosia;15;Eastern European Time|Nicosia Time|EET;0:120=13,180=14
Asia/Novokuznetsk;165;Krasnoyarsk Standard Time|Novokuznetsk Time|Novokuznetsk Time;0:420=164,480=211 670359600:420=211,360=164 695764800:420=164,480=211 1269716400:420=223,360=224 1301169600:420=224 1414263600:420=164
Asia/Novosibirsk;165;Krasnoyarsk Standard Time|Novosibirsk Time|Novosibirsk Time;0:420=224,480=223 670359600:420=223,360=224 695764800:420=224,480=223 738086400:420=223,360=224 1301169600:420=224,360=224 1469304000:420=164
Asia/Omsk;227;Omsk Standard Time|Omsk Time|Omsk Time;0:360=225,420=226 670363200:360=226,300=225 695768400:360=225,420=226 1301169600:420=225,360=225
Asia/Oral;141;West Kazakhstan Time|Oral Time|Oral Time;1099173600:300=151 1709229600:300=140
Asia/Phnom_Penh;163;Indochina Time|Cambodia Time|Cambodia Time;0:420=162
Asia/Pontianak;197;Western Indonesia Time|Pontianak Time|Pontianak Time;0:480=181,420=196
Asia/Pyongyang;230;Korean Standard Time|North Korea Time|North Korea Time;0:540=228,510=229
Asia/Qatar;136;Arabian Standard Time|Qatar Time|Qatar Time;0:240=158,180=135
Asia/Qostanay;141;East Kazakhstan Time|Kostanay Time|Kostanay Time;1099170000:360=139,300=140
Asia/Qyzylorda;141;West Kazakhstan Time|Kyzylorda Time|Kyzylorda Time;692823600:300=231,360=231 701812800:360=232,300=231 1099170000:360=139,300=151 1709229600:300=140
Asia/Rangoon;234;Myanmar Time|Myanmar (Burma) Time|Myanmar (Burma) Time;0:390=233
Asia/Riyadh;136;Arabian Standard Time|Saudi Arabia Time|Saudi Arabia Time;0:180=135
Asia/Saigon;163;Indochina Time|Vietnam Time|Vietnam Time;171820800:420=162
Asia/Sakhalin;218;Magadan Standard Time|Sakhalin Time|Sakhalin Time;0:660=235,720=236 670345200:660=236,600=235 695750400:660=235,720=236 859647600:660=236,600=235 1301155200:660=235,600=146 1459008000: 1461686400:660=146
Asia/Samarkand;239;Uzbekistan Standard Time|Samarkand Time|Samarkand Time;683661600:360=237,300=238
Asia/Seoul;241;Korean Standard Time|South Korea Time|South Korea Time;0:540=228,600=240
Asia/Shanghai;217;China Standard Time|China Time|China Time;0:480=216,540=242
Asia/Singapore;244;Singapore Standard Time|Singapore Time|Singapore Time;0:450=243,480=243
Asia/Srednekolymsk;218;Magadan Standard Time|Srednekolymsk Time|Srednekolymsk Time;0:660=146,720=145 670345200:660=145,600=146 695750400:660=146,720=145 1301151600:720=146 1461427200:660=146
Asia/Taipei;247;Taiwan Standard Time|Taiwan Time|Taiwan Time;0:480=245,540=246
Asia/Tashkent;239;Uzbekistan Standard Time|Uzbekistan Time|Uzbekistan Time;670363200:360=237,300=238
Asia/Tbilisi;250;Georgia Standard Time|Georgia Time|Georgia Time;670370400:240=248,180=249 780436800:240=249,300=248 1088276400:240=248,180=249 1111878000:240=249
Asia/Tehran;253;Iran Standard Time|Iran Time|Iran Time;0:210=251,270=252,240=251,300=252
Asia/Thimphu;255;Bhutan Time;0:330=170,360=254
Asia/Tokyo;257;Japan Standard Time|Japan Time|Japan Time;0:540=256
Asia/Tomsk;165;Krasnoyarsk Standard Time|Tomsk Time|Tomsk Time;1464465600:420=164
Asia/Ulaanbaatar;260;Ulaanbaatar Standard Time|Ulaanbaatar Time|Ulaanbaatar Time;0:420=258,480=258,540=259
Asia/Urumqi;261;Ürümqi Time;
Asia/Ust-Nera;262;Vladivostok Standard Time|Ust-Nera Time|Ust-Nera Time;0:540=172,720=145,660=146 670345200:660=145,600=146 695750400:660=146,720=145 1301151600:720=146,660=209,600=209
Asia/Vientiane;163;Indochina Time|Laos Time|Laos Time;0:420=162
Asia/Vladivostok;262;Vladivostok Standard Time|Vladivostok Time|Vladivostok Time;0:600=209,660=210 670348800:600=210,540=209 695754000:600=209,660=210 1301155200:660=209,600=209
Asia/Yakutsk;175;Yakutsk Standard Time|Yakutsk Time|Yakutsk Time;0:540=172,600=173 670352400:540=173,480=172 695757600:540=172,600=173 1301158800:600=172,540=172
Asia/Yekaterinburg;265;Yekaterinburg Standard Time|Yekaterinburg Time|Yekaterinburg Time;695772000:300=263,360=264 1301173200:360=263,300=263
Asia/Yerevan;268;Armenia Standard Time|Armenia Time|Armenia Time;670370400:240=266,180=267 811897200:240=267,300=266
Atlantic/Azores;271;Azores Time;0:-60=269,0=270 725421600:0=4,60=5 740278800:0=270,-60=269
Atlantic/Bermuda;46;Atlantic Time|AT|Bermuda Time;0:-240=27,-180=45
Atlantic/Canary;272;Western European Time|Canaries Time|WET;0:0=4,60=5
Atlantic/Cape_Verde;274;Cape Verde Standard Time|Cape Verde Time|Cape Verde Time;0:-120=273,-60=273
Atlantic/Faeroe;272;Western European Time|Faroe Islands Time|WET;0:0=4,60=5
Atlantic/Madeira;272;Western European Time|Madeira Time|WET;0:0=4,60=5
Atlantic/Reykjavik;1;Greenwich Mean Time|GMT|GMT;0:0=0
Atlantic/South_Georgia;276;South Georgia Time|South Georgia & South Sandwich Islands Time|South Georgia & South Sandwich Islands Time;0:-120=275
Atlantic/St_Helena;1;Greenwich Mean Time|GMT|GMT;0:0=0
Atlantic/Stanley;279;Falkland Islands Standard Time|Falkland Islands Time|Falkland Islands Time;0:-240=277,-180=277,-120=278 495601200:-180=278,-240=277 1283666400:-180=277
Australia/Adelaide;282;Australian Central Time|Adelaide Time|Adelaide Time;0:570=280,630=281
Australia/Brisbane;122;Australian Eastern Standard Time|Brisbane Time|Brisbane Time;0:600=121,660=120
Australia/Broken_Hill;282;Australian Central Time|Broken Hill Time|Broken Hill Time;0:570=280,630=281
Australia/Darwin;283;Australian Central Standard Time|Darwin Time|Darwin Time;0:570=280
Australia/Eucla;286;Australian Central Western Standard Time|Eucla Time|Eucla Time;0:525=284,585=285
Australia/Hobart;122;Australian Eastern Time|Hobart Time|Hobart Time;0:660=120,600=121
Australia/Lindeman;122;Australian Eastern Standard Time|Lindeman Time|Lindeman Time;0:600=121,660=120
Australia/Lord_Howe;289;Lord Howe Time|Lord Howe Island Time|Lord Howe Island Time;0:600=121,630=287,690=288,660=288
Australia/Melbourne;122;Australian Eastern Time|Melbourne Time|Melbourne Time;0:600=121,660=120
Australia/Perth;291;Australian Western Standard Time|Perth Time|Perth Time;0:480=113,540=290
Australia/Sydney;122;Australian Eastern Time|Sydney Time|Sydney Time;0:600=121,660=120
Europe/Amsterdam;8;Central European Time|Netherlands Time|CET;0:60=6,120=7
Europe/Andorra;8;Central European Time|Andorra Time|CET;0:60=6,120=7
Europe/Astrakhan;295;Samara Standard Time|Astrakhan Time|Astrakhan Time;701820000:240=292,180=293 1301180400:240=293,180=293 1459033200:240=294
Europe/Athens;15;Eastern European Time|Greece Time|EET;0:120=13,180=14
Europe/Belgrade;8;Central European Time|Serbia Time|CET;0:60=6,120=7
Europe/Berlin;8;Central European Time|Germany Time|CET;0:60=6,120=7
Europe/Bratislava;8;Central European Time|Slovakia Time|CET;0:60=6,120=7
Europe/Brussels;8;Central European Time|Belgium Time|CET;0:60=6,120=7
Europe/Bucharest;15;Eastern European Time|Romania Time|EET;0:120=13,180=14
Europe/Budapest;8;Central European Time|Hungary Time|CET;0:60=6,120=7
Europe/Busingen;8;Central European Time|Büsingen Time|CET;0:60=6,120=7
Europe/Chisinau;15;Eastern European Time|Moldova Time|EET;0:180=293,240=292 641944800:180=14,120=13
Europe/Copenhagen;8;Central European Time|Denmark Time|CET;0:60=6,120=7
Europe/Dublin;297;Ireland Time;-2840140800:34.65=296,60=296 -37242000:0=0 69818400:60=296,0=0
Europe/Gibraltar;8;Central European Time|Gibraltar Time|CET;0:60=6,120=7
Europe/Guernsey;298;Guernsey Time;57722400:0=0
Europe/Helsinki;15;Eastern European Time|Finland Time|EET;0:120=13,180=14
Europe/Isle_of_Man;298;Isle of Man Time;57722400:0=0
Europe/Istanbul;301;Türkiye Standard Time|Türkiye Time|Türkiye Time;0:120=13,180=14 267915600:180=299,240=300,120=13 482799600:180=14,120=13 1473195600:180=299
Europe/Jersey;298;Jersey Time;57722400:0=0
Europe/Kaliningrad;15;Eastern European Standard Time|Kaliningrad Time|EET;0:180=293,240=292 606870000:180=14,120=13 1301184000:180=302,120=13
Europe/Kiev;15;Eastern European Time|Ukraine Time|EET;0:180=293,240=292 646783200:180=14,120=13
Europe/Kirov;303;Moscow Standard Time|Kirov Time|Kirov Time;1414274400:180=293
Europe/Lisbon;272;Western European Time|Portugal Time|WET;0:60=6,0=4 228268800:60=5,0=4 717555600:60=6,120=7 828234000:60=5,0=4
Europe/Ljubljana;8;Central European Time|Slovenia Time|CET;0:60=6,120=7
Europe/London;305;United Kingdom Time;-2840140800:60=304,120=304 -37242000:0=0 69818400:60=304,0=0
Europe/Luxembourg;8;Central European Time|Luxembourg Time|CET;0:60=6,120=7
Europe/Madrid;8;Central European Time|Spain Time|CET;0:60=6,120=7
Europe/Malta;8;Central European Time|Malta Time|CET;0:60=6,120=7
Europe/Mariehamn;15;Eastern European Time|Åland Islands Time|EET;0:120=13,180=14
Europe/Minsk;303;Moscow Standard Time|Belarus Time|Belarus Time;0:180=293,240=292 670374000:180=14,120=13 1301184000:180=302 1414360800:180=293
Europe/Monaco;8;Central European Time|Monaco Time|CET;0:60=6,120=7
Europe/Moscow;303;Moscow Standard Time|Moscow Time|Moscow Time;0:180=293,240=292 670374000:180=14,120=13 695779200:180=293,240=292 1301180400:240=293,180=293
Europe/Oslo;8;Central European Time|Norway Time|CET;0:60=6,120=7
Europe/Paris;8;Central European Time|France Time|CET;0:60=6,120=7
Europe/Podgorica;8;Central European Time|Montenegro Time|CET;0:60=6,120=7
Europe/Prague;8;Central European Time|Czechia Time|CET;0:60=6,120=7
Europe/Riga;15;Eastern European Time|Latvia Time|EET;0:180=293,240=292 606870000:180=14,120=13
Europe/Rome;8;Central European Time|Italy Time|CET;0:60=6,120=7
Europe/Samara;295;Samara Standard Time|Samara Time|Samara Time;606866400:240=292,180=293 670374000:180=14 686102400:180=294,240=294,300=306 1269727200:240=306,180=294 1301180400:240=294
Europe/San_Marino;8;Central European Time|San Marino Time|CET;0:60=6,120=7
Europe/Sarajevo;8;Central European Time|Bosnia & Herzegovina Time|CET;0:60=6,120=7
Europe/Saratov;295;Samara Standard Time|Saratov Time|Saratov Time;701820000:240=292,180=293 1301180400:240=293,180=293 1480806000:240=294
Europe/Simferopol;303;Moscow Standard Time|Simferopol Time|Simferopol Time;0:180=293,240=292,120=13 701827200:180=14,120=13,240=292 780447600:180=293,240=292 859683600:180=14,120=13,240=293 1414274400:180=293
Europe/Skopje;8;Central European Time|North Macedonia Time|CET;0:60=6,120=7
Europe/Sofia;15;Eastern European Time|Bulgaria Time|EET;0:120=13,180=14
Europe/Stockholm;8;Central European Time|Sweden Time|CET;0:60=6,120=7
Europe/Tallinn;15;Eastern European Time|Estonia Time|EET;0:180=293,240=292 606870000:180=14,120=13
Europe/Tirane;8;Central European Time|Albania Time|CET;0:60=6,120=7
Europe/Ulyanovsk;295;Samara Standard Time|Ulyanovsk Time|Ulyanovsk Time;695779200:180=293,240=292 1301180400:240=293,180=293 1459033200:240=294
Europe/Vaduz;8;Central European Time|Liechtenstein Time|CET;0:60=6,120=7
Europe/Vatican;8;Central European Time|Vatican City Time|CET;0:60=6,120=7
Europe/Vienna;8;Central European Time|Austria Time|CET;0:60=6,120=7
Europe/Vilnius;15;Eastern European Time|Lithuania Time|EET;0:180=293,240=292 606870000:180=14,120=13 891133200:120=7,60=6 941331600:120=13,180=14
Europe/Volgograd;303;Moscow Standard Time|Volgograd Time|Volgograd Time;0:240=307,300=308 575416800:240=308,180=307 670374000:240=307 701820000:240=308,180=307 1301180400:240=307,180=307 1609020000:180=293
Europe/Warsaw;8;Central European Time|Poland Time|CET;0:60=6,120=7
Europe/Zagreb;8;Central European Time|Croatia Time|CET;0:60=6,120=7
Europe/Zurich;8;Central European Time|Switzerland Time|CET;0:60=6,120=7
Indian/Antananarivo;3;East Africa Time|Madagascar Time|Madagascar Time;0:180=2
Indian/Chagos;310;Indian Ocean Time|British Indian Ocean Territory Time|British Indian Ocean Territory Time;0:300=309,360=309
Indian/Christmas;312;Christmas Island Time;0:420=311
Indian/Cocos;314;Cocos Islands Time|Cocos (Keeling) Islands Time|Cocos (Keeling) Islands Time;0:390=313
Indian/Comoro;3;East Africa Time|Comoros Time|Comoros Time;0:180=2
Indian/Kerguelen;316;French Southern & Antarctic Time|French Southern Territories Time|French Southern Territories Time;0:300=315
Indian/Mahe;318;Seychelles Time;0:240=317
Indian/Maldives;320;Maldives Time;0:300=319
Indian/Mauritius;323;Mauritius Standard Time|Mauritius Time|Mauritius Time;0:240=321,300=322
Indian/Mayotte;3;East Africa Time|Mayotte Time|Mayotte Time;0:180=2
Indian/Reunion;325;Réunion Time;0:240=324
Pacific/Apia;328;Samoa Standard Time|Samoa Time|Samoa Time;0:-660=326,-600=327,840=327,780=326
Pacific/Auckland;127;New Zealand Time;0:720=125,780=126
Pacific/Bougainville;330;Bougainville Time;0:600=329
Pacific/Chatham;333;Chatham Time|Chatham Islands Time|Chatham Islands Time;0:765=331,825=332
Pacific/Easter;336;Easter Island Time;0:-360=334,-420=335 384922800:-360=335,-300=334
Pacific/Efate;339;Vanuatu Standard Time|Vanuatu Time|Vanuatu Time;0:660=337,720=338
Pacific/Enderbury;341;Phoenix Islands Time|Canton Island Time|Canton Island Time;0:-720=340,-660=340,780=340
Pacific/Fakaofo;343;Tokelau Time;0:-660=342,780=342
Pacific/Fiji;346;Fiji Standard Time|Fiji Time|Fiji Time;0:720=344,780=345
Pacific/Funafuti;348;Tuvalu Time;0:720=347
Pacific/Galapagos;350;Galapagos Time|Galápagos Islands Time|Galápagos Islands Time;0:-300=81,-360=349 722930400:-360=349
Pacific/Gambier;352;Gambier Time;0:-540=351
Pacific/Guadalcanal;354;Solomon Islands Time;0:660=353
Pacific/Guam;357;Chamorro Standard Time|Guam Time|Guam Time;0:600=355 977493600:600=356
Pacific/Honolulu;359;Hawaii-Aleutian Standard Time|HST|Honolulu Time;0:-600=358
Pacific/Kiritimati;361;Line Islands Time|Kiritimati Time|Kiritimati Time;0:-640=360,-600=360,840=360
Pacific/Kosrae;363;Kosrae Time;0:720=362,660=362
Pacific/Kwajalein;365;Marshall Islands Time|Kwajalein Atoll Time|Kwajalein Atoll Time;-2840140800:720=364
Pacific/Majuro;365;Marshall Islands Time;0:720=364
Pacific/Marquesas;367;Marquesas Time|Marquesas Islands Time|Marquesas Islands Time;0:-570=366
Pacific/Midway;369;American Samoa Standard Time|Midway Atoll Time|Midway Atoll Time;436363200:-660=368
Pacific/Nauru;371;Nauru Time;0:690=370,720=370
Pacific/Niue;373;Niue Time;0:-660=372
Pacific/Norfolk;376;Norfolk Island Time;0:690=374,750=375,660=374,720=375
Pacific/Noumea;379;New Caledonia Standard Time|New Caledonia Time|New Caledonia Time;0:660=377,720=378
Pacific/Pago_Pago;369;American Samoa Standard Time|American Samoa Time|American Samoa Time;436363200:-660=368
Pacific/Palau;381;Palau Time;0:540=380
Pacific/Pitcairn;383;Pitcairn Time|Pitcairn Islands Time|Pitcairn Islands Time;0:-510=382,-480=382
Pacific/Ponape;385;Pohnpei Time;0:660=384
Pacific/Port_Moresby;386;Papua New Guinea Time|Port Moresby Time|Port Moresby Time;0:600=329
Pacific/Rarotonga;389;Cook Islands Standard Time|Cook Islands Time|Cook Islands Time;0:-630=387,-570=388,-600=387
Pacific/Saipan;357;Chamorro Standard Time|Northern Mariana Islands Time|Northern Mariana Islands Time;0:600=390 977493600:600=356
Pacific/Tahiti;392;Tahiti Time;0:-600=391
Pacific/Tarawa;394;Gilbert Islands Time|Tarawa Time|Tarawa Time;0:720=393
Pacific/Tongatapu;397;Tonga Standard Time|Tonga Time|Tonga Time;0:780=395,840=396
Pacific/Truk;399;Chuuk Time;0:600=398
Pacific/Wake;401;Wake Island Time;0:720=400
Pacific/Wallis;403;Wallis & Futuna Time;0:720=402
`;

// Names that stand for another.
exports.aliases = `
Africa/Asmara>Africa/Asmera
Africa/Timbuktu>Africa/Bamako
America/Argentina/Buenos_Aires>America/Buenos_Aires
America/Argentina/Catamarca>America/Catamarca
America/Argentina/ComodRivadavia>America/Catamarca
America/Argentina/Cordoba>America/Cordoba
America/Argentina/Jujuy>America/Jujuy
America/Argentina/Mendoza>America/Mendoza
America/Atikokan>America/Coral_Harbour
America/Atka>America/Adak
America/Ensenada>America/Tijuana
America/Fort_Wayne>America/Indianapolis
America/Indiana/Indianapolis>America/Indianapolis
America/Kentucky/Louisville>America/Louisville
America/Knox_IN>America/Indiana/Knox
America/Montreal>America/Toronto
America/Nipigon>America/Toronto
America/Nuuk>America/Godthab
America/Pangnirtung>America/Iqaluit
America/Porto_Acre>America/Rio_Branco
America/Rainy_River>America/Winnipeg
America/Rosario>America/Cordoba
America/Santa_Isabel>America/Tijuana
America/Shiprock>America/Denver
America/Thunder_Bay>America/Toronto
America/Virgin>America/St_Thomas
America/Yellowknife>America/Edmonton
Antarctica/South_Pole>Antarctica/McMurdo
Asia/Ashkhabad>Asia/Ashgabat
Asia/Choibalsan>Asia/Ulaanbaatar
Asia/Chongqing>Asia/Shanghai
Asia/Chungking>Asia/Shanghai
Asia/Dacca>Asia/Dhaka
Asia/Harbin>Asia/Shanghai
Asia/Ho_Chi_Minh>Asia/Saigon
Asia/Istanbul>Europe/Istanbul
Asia/Kashgar>Asia/Urumqi
Asia/Kathmandu>Asia/Katmandu
Asia/Kolkata>Asia/Calcutta
Asia/Macao>Asia/Macau
Asia/Tel_Aviv>Asia/Jerusalem
Asia/Thimbu>Asia/Thimphu
Asia/Ujung_Pandang>Asia/Makassar
Asia/Ulan_Bator>Asia/Ulaanbaatar
Asia/Yangon>Asia/Rangoon
Atlantic/Faroe>Atlantic/Faeroe
Atlantic/Jan_Mayen>Arctic/Longyearbyen
Australia/ACT>Australia/Sydney
Australia/Canberra>Australia/Sydney
Australia/Currie>Australia/Hobart
Australia/LHI>Australia/Lord_Howe
Australia/North>Australia/Darwin
Australia/NSW>Australia/Sydney
Australia/Queensland>Australia/Brisbane
Australia/South>Australia/Adelaide
Australia/Tasmania>Australia/Hobart
Australia/Victoria>Australia/Melbourne
Australia/West>Australia/Perth
Australia/Yancowinna>Australia/Broken_Hill
Brazil/Acre>America/Rio_Branco
Brazil/DeNoronha>America/Noronha
Brazil/East>America/Sao_Paulo
Brazil/West>America/Manaus
Canada/Atlantic>America/Halifax
Canada/Central>America/Winnipeg
Canada/Eastern>America/Toronto
Canada/Mountain>America/Edmonton
Canada/Newfoundland>America/St_Johns
Canada/Pacific>America/Vancouver
Canada/Saskatchewan>America/Regina
Canada/Yukon>America/Whitehorse
CET>Europe/Brussels
Chile/Continental>America/Santiago
Chile/EasterIsland>Pacific/Easter
CST6CDT>America/Chicago
Cuba>America/Havana
EET>Europe/Athens
Egypt>Africa/Cairo
Eire>Europe/Dublin
EST>America/Panama
EST5EDT>America/New_York
Etc/GMT>UTC
Etc/GMT+0>UTC
Etc/GMT-0>UTC
Etc/GMT0>UTC
Etc/Greenwich>UTC
Etc/UCT>UTC
Etc/Universal>UTC
Etc/UTC>UTC
Etc/Zulu>UTC
Europe/Belfast>Europe/London
Europe/Kyiv>Europe/Kiev
Europe/Nicosia>Asia/Nicosia
Europe/Tiraspol>Europe/Chisinau
Europe/Uzhgorod>Europe/Kiev
Europe/Zaporozhye>Europe/Kiev
GB>Europe/London
GB-Eire>Europe/London
GMT>UTC
GMT+0>UTC
GMT-0>UTC
GMT0>UTC
Greenwich>UTC
Hongkong>Asia/Hong_Kong
HST>Pacific/Honolulu
Iceland>Atlantic/Reykjavik
Iran>Asia/Tehran
Israel>Asia/Jerusalem
Jamaica>America/Jamaica
Japan>Asia/Tokyo
Kwajalein>Pacific/Kwajalein
Libya>Africa/Tripoli
MET>Europe/Brussels
Mexico/BajaNorte>America/Tijuana
Mexico/BajaSur>America/Mazatlan
Mexico/General>America/Mexico_City
MST>America/Phoenix
MST7MDT>America/Denver
Navajo>America/Denver
NZ>Pacific/Auckland
NZ-CHAT>Pacific/Chatham
Pacific/Chuuk>Pacific/Truk
Pacific/Johnston>Pacific/Honolulu
Pacific/Kanton>Pacific/Enderbury
Pacific/Pohnpei>Pacific/Ponape
Pacific/Samoa>Pacific/Pago_Pago
Pacific/Yap>Pacific/Truk
Poland>Europe/Warsaw
Portugal>Europe/Lisbon
PRC>Asia/Shanghai
PST8PDT>America/Los_Angeles
ROC>Asia/Taipei
ROK>Asia/Seoul
Singapore>Asia/Singapore
Turkey>Europe/Istanbul
UCT>UTC
Universal>UTC
US/Alaska>America/Anchorage
US/Aleutian>America/Adak
US/Arizona>America/Phoenix
US/Central>America/Chicago
US/East-Indiana>America/Indianapolis
US/Eastern>America/New_York
US/Hawaii>Pacific/Honolulu
US/Indiana-Starke>America/Indiana/Knox
US/Michigan>America/Detroit
US/Mountain>America/Denver
US/Pacific>America/Los_Angeles
US/Samoa>Pacific/Pago_Pago
W-SU>Europe/Moscow
WET>Europe/Lisbon
Zulu>UTC
`;
