// SPDX-License-Identifier: MIT
// The connection: orders of 20 bytes out, frames and messages in.

export const ORDER = {
    drive: 1, brake: 2, pause: 3, step: 4, speed: 5, reset: 6, save: 7, restore: 8, cut: 9, unhook: 10, hook: 11,
    model: 12, open: 13, takeSeat: 100, giveSeat: 101, ping: 102,
};

export class Net {
    // handlers: {message(object), frame(arrayBuffer), open(), close()}
    constructor(handlers) {
        this.handlers = handlers;
        this.connect();
    }

    connect() {
        const url = new URL("ws", location.href);
        url.protocol = "ws:";
        this.socket = new WebSocket(url, "reeve");
        this.socket.binaryType = "arraybuffer";
        this.socket.onopen = () => this.handlers.open();
        this.socket.onclose = () => {
            this.handlers.close();
            setTimeout(() => this.connect(), 1500);
        };
        this.socket.onmessage = (event) => {
            if (typeof event.data === "string") this.handlers.message(JSON.parse(event.data));
            else this.handlers.frame(event.data);
        };
    }

    send(order, { a = 0, b = 0, c = 0, x = [0, 0, 0] } = {}) {
        if (this.socket.readyState !== WebSocket.OPEN) return;
        const view = new DataView(new ArrayBuffer(20));
        view.setUint8(0, order);
        [a, b, c].forEach((value, i) => view.setUint16(2 + 2 * i, value, true));
        x.forEach((value, i) => view.setFloat32(8 + 4 * i, value, true));
        this.socket.send(view.buffer);
    }
}
