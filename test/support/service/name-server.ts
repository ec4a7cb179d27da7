import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import type { AddressInfo } from 'node:net';

const headerBytes = 12;
const typeA = 1;

/** The question is answered as it was asked, with one A record or, for other types, none. */
const answerTo = (query: Buffer, address: string): Buffer => {
  let end = headerBytes;
  while (query[end] !== 0) end += query[end]! + 1;
  const question = query.subarray(headerBytes, end + 5);
  const isA = question.readUInt16BE(question.length - 4) === typeA;
  const header = Buffer.from(query.subarray(0, headerBytes));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(isA ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  // A pointer to the name of the question, type A, class IN, lifetime 0 seconds, 4 bytes.
  const record = Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4]);
  const answer = isA ? [record, Buffer.from(address.split('.').map(Number))] : [];
  return Buffer.concat([header, question, ...answer]);
};

/**
 * A name server that answers each question for any name with the next of these addresses, and keeps
 * to the last one.
 */
export const openNameServer = async (addresses: readonly string[]) => {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (query, from) => {
    const address = addresses[Math.min(asked++, addresses.length - 1)]!;
    socket.send(answerTo(query, address), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new dns.Resolver();
  resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
  return {
    resolve: (name: string) => resolver.resolve4(name),
    asked: () => asked,
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
};
