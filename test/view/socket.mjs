// SPDX-License-Identifier: MIT
// A WebSocket by hand, so that a test can send what no browser would.
import { createHash, randomBytes } from "node:crypto";
import { createConnection } from "node:net";

export function parse(url) {
    const { hostname, port, pathname } = new URL(url);
    return { hostname, port: Number(port), path: pathname };
}

// Sends bytes as they are and answers all that comes back until the other side closes, at most `wait` ms.
export function exchange(url, text, wait = 3000) {
    const { hostname, port } = parse(url);
    return new Promise((resolve) => {
        const socket = createConnection(port, hostname, () => socket.write(text));
        let answer = "";
        const timer = setTimeout(() => socket.destroy(), wait);
        socket.on("data", (data) => (answer += data.toString("latin1")));
        socket.on("error", () => {});
        socket.on("close", () => {
            clearTimeout(timer);
            resolve(answer);
        });
    });
}

// GET with chosen headers; answers the status, 0 where there was none.
export async function get(url, { path = parse(url).path, host = `${parse(url).hostname}:${parse(url).port}` } = {}) {
    const answer = await exchange(url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return Number(/^HTTP\/1\.[01] (\d+)/.exec(answer)?.[1] ?? 0);
}

export class Socket {
    // Resolves with the socket once the handshake is through, with null where it is refused.
    static open(url, { path, origin, host, protocol = "reeve" } = {}) {
        const where = parse(url), self = new Socket();
        const headers = [`GET ${path ?? `${where.path}ws`} HTTP/1.1`, `Host: ${host ?? `${where.hostname}:${where.port}`}`,
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
            ...(protocol ? [`Sec-WebSocket-Protocol: ${protocol}`] : []),
            ...(origin === null ? [] : [`Origin: ${origin ?? `http://${where.hostname}:${where.port}`}`])];
        return new Promise((resolve) => {
            self.raw = createConnection(where.port, where.hostname, () => self.raw.write(headers.join("\r\n") + "\r\n\r\n"));
            self.buffer = Buffer.alloc(0);
            self.frames = 0;
            self.messages = [];
            self.closed = new Promise((done) => self.raw.on("close", () => { self.isClosed = true; resolve(null); done(); }));
            self.raw.on("error", () => {});
            self.raw.on("data", (data) => {
                self.buffer = Buffer.concat([self.buffer, data]);
                const end = self.buffer.indexOf("\r\n\r\n");
                if (!self.open && end >= 0) {
                    self.open = /^HTTP\/1\.1 101/.test(self.buffer.toString("latin1", 0, 20));
                    self.buffer = self.buffer.subarray(end + 4);
                    if (!self.open) self.raw.destroy();
                    else resolve(self);
                }
                if (self.open) self.read();
            });
        });
    }

    // Takes whole messages out of what has come.
    read() {
        for (;;) {
            if (this.buffer.length < 2) return;
            let length = this.buffer[1] & 127, head = 2;
            if (length === 126) (length = this.buffer.length >= 4 ? this.buffer.readUInt16BE(2) : 1e9), (head = 4);
            else if (length === 127) (length = this.buffer.length >= 10 ? Number(this.buffer.readBigUInt64BE(2)) : 1e9), (head = 10);
            if (this.buffer.length < head + length) return;
            const opcode = this.buffer[0] & 15, body = this.buffer.subarray(head, head + length);
            if (opcode === 2) (this.frames += 1), (this.last = Buffer.from(body)), (this.bytes = (this.bytes ?? 0) + length);
            if (opcode === 10) this.pong = body.toString();
            if (opcode === 1) this.messages.push(JSON.parse(body.toString("utf8")));
            this.buffer = this.buffer.subarray(head + length);
        }
    }

    send(body, opcode = 2) {
        const mask = randomBytes(4), masked = Buffer.from(body.map((byte, i) => byte ^ mask[i % 4]));
        const head = body.length < 126 ? Buffer.from([128 | opcode, 128 | body.length])
            : Buffer.from([128 | opcode, 128 | 126, body.length >> 8, body.length & 255]);
        if (!this.isClosed) this.raw.write(Buffer.concat([head, mask, masked]));
    }

    order(type, { a = 0, b = 0, c = 0, x = [0, 0, 0] } = {}) {
        const body = Buffer.alloc(20);
        body.writeUInt8(type, 0);
        [a, b, c].forEach((value, i) => body.writeUInt16LE(value, 2 + 2 * i));
        x.forEach((value, i) => body.writeFloatLE(value, 8 + 4 * i));
        this.send(body);
    }

    get time() {
        return this.last ? this.last.readDoubleLE(8) : 0;
    }

    get paused() {
        return (this.last.readUInt32LE(16) & 1) !== 0;
    }

    close() {
        this.raw.destroy();
    }
}

// Waits until the condition holds, at most `wait` ms; answers whether it does.
export async function until(condition, wait = 5000) {
    for (const start = Date.now(); Date.now() - start < wait;) {
        if (condition()) return true;
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return condition();
}
