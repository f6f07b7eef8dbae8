// What goes wrong in a federation, by code.
'use strict';

function failure(code, message) {
  const error = new Error(message);
  error.code = code;
  return error;
}

const nameTaken = (federation, name) => failure(
  'ERR_FEDERATION_NAME', `the federation '${federation}' has a member with the name '${name}'`);

const replaced = (federation, name) => failure(
  'ERR_FEDERATION_REPLACED', `another member with the name '${name}' has taken the place of this one in the federation '${federation}'`);

const twoOrigins = (federation, other) => failure(
  'ERR_FEDERATION_ORIGIN', `'${other}' belongs to a federation '${federation}' with another origin; name all founders in each member`);

const lost = (name, first, last) => failure(
  'ERR_FEDERATION_LOST', `the messages ${first} to ${last} of '${name}' are lost`);

const closed = (federation, cause) => {
  const error = failure('ERR_FEDERATION_CLOSED', `the transport of the federation '${federation}' is closed`);
  if (cause !== undefined) error.cause = cause;
  return error;
};

const tardy = ({ topic, from, tag, clock }) => failure(
  'ERR_FEDERATION_TARDY',
  `a message of '${from}' on '${topic}' for ${tag.time}+${tag.microstep} came when the clock was past ${clock.time}+${clock.microstep}; ` +
  'a handler of tardy messages can be set for the topic');

module.exports = { nameTaken, replaced, twoOrigins, lost, closed, tardy };
