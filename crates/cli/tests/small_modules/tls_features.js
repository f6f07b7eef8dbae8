// What programs ask before they offer connections over TLS.
'use strict';
const { tls, tls_alpn: protocols, tls_sni: names } = process.features;
console.log({ tls, protocols, names });
