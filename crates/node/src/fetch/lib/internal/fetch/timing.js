// What a fetch over HTTP notes down of its time and sizes, for `performance.getEntriesByType('resource')`. Instants are
// those that are known without a look at the clock: nobody outside hears of them.
//
// Uses binding.born, knownTime.
'use strict';

const known = () => binding.knownTime() - binding.born;

class Timing {
  #url;
  // Whether there was a response for the program, whether all of it was there, and whether that was told.
  #isAccepted = false;
  #isOver = false;
  #isTold = false;
  #facts;

  constructor(url) {
    this.#url = url;
    const startTime = known();
    this.#facts = {
      startTime, redirectStartTime: 0, redirectEndTime: 0, postRedirectStartTime: startTime, finalServiceWorkerStartTime: 0,
      finalNetworkRequestStartTime: 0, finalNetworkResponseStartTime: 0, endTime: 0, encodedBodySize: 0, decodedBodySize: 0,
      finalConnectionTimingInfo: null,
    };
  }

  redirected() {
    const facts = this.#facts;
    facts.redirectStartTime = facts.startTime;
    facts.redirectEndTime = facts.postRedirectStartTime = known();
    this.#isOver = false;
  }

  /// There is a connection, over which the request is sent. As in Node, how it was made takes no time.
  connected() {
    const facts = this.#facts;
    const at = facts.postRedirectStartTime;
    facts.finalNetworkRequestStartTime = known();
    facts.finalConnectionTimingInfo = {
      domainLookupStartTime: at, domainLookupEndTime: at, connectionStartTime: at, connectionEndTime: at, secureConnectionStartTime: at,
      ALPNNegotiatedProtocol: undefined,
    };
  }

  answered() {
    const facts = this.#facts;
    facts.finalNetworkResponseStartTime = known();
    // One that came before led here.
    facts.encodedBodySize = facts.decodedBodySize = 0;
    this.#isOver = false;
  }

  received(bytes) {
    this.#facts.encodedBodySize += bytes;
  }

  decoded(bytes) {
    this.#facts.decodedBodySize += bytes;
  }

  /// The program gets the response.
  accepted() {
    this.#isAccepted = true;
    this.#tellIfOver();
  }

  /// Nothing more comes of the response.
  over() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#facts.endTime = known();
    this.#tellIfOver();
  }

  /// There will be no response.
  failed() {
    this.over();
    this.accepted();
  }

  #tellIfOver() {
    if (!this.#isAccepted || !this.#isOver || this.#isTold) return;
    this.#isTold = true;
    require('internal/performance').markResource(this.#facts, this.#url, 'fetch', '');
  }
}

module.exports = { Timing };
