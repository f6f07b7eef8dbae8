// node:cluster: several processes of one program that share what they listen at.
// Uses binding.clusterWorker.
'use strict';

module.exports = require(binding.clusterWorker ? 'internal/cluster/child' : 'internal/cluster/primary');
