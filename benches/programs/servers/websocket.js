// Echoes messages of WebSockets, with ws; prints its port.
const { WebSocketServer } = require('ws');
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' }, () => console.log(server.address().port));
server.on('connection', (socket) => socket.on('message', (message) => socket.send(message)));
