// The messages of `serialization: 'advanced'`, as Node writes and reads them: values of `v8.serialize` in
// which every object of a class of the library is marked.
'use strict';

const { DefaultDeserializer, DefaultSerializer, read, write } = require('internal/serializer');

// How a view of an array buffer, and any other object of the library, is marked.
const VIEW = 0;
const OTHER = 1;

class MessageSerializer extends DefaultSerializer {
  _writeHostObject(view) {
    this.writeUint32(VIEW);
    super._writeHostObject(view);
  }
}

class MessageDeserializer extends DefaultDeserializer {
  _readHostObject() {
    return this.readUint32() === OTHER ? this.readValue() : super._readHostObject();
  }
}

exports.serializeMessage = (value) => write(new MessageSerializer(), value);
exports.deserializeMessage = (bytes) => read(new MessageDeserializer(bytes));
