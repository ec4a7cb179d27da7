import { generateKeyPairSync, sign } from 'node:crypto';

const tag = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  object: 0x06,
  text: 0x0c,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
};

const lengthOf = (bytes: number): Buffer => {
  if (bytes < 0x80) return Buffer.of(bytes);
  const digits = Buffer.from(bytes.toString(16).padStart(bytes > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.of(0x80 + digits.length), digits]);
};

/** One DER element of that tag. */
const der = (kind: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(kind), lengthOf(content.length), content]);
};

const objectId = (hex: string) => der(tag.object, Buffer.from(hex, 'hex'));
const ecdsaWithSha256 = der(tag.sequence, objectId('2a8648ce3d040302'));
const commonName = '550403';
const subjectAltName = '551d11';

const nameOf = (text: string) =>
  der(tag.sequence, der(tag.set, der(tag.sequence, objectId(commonName), der(tag.text, Buffer.from(text)))));
const timeOf = (instant: number) =>
  der(tag.time, Buffer.from(`${new Date(instant).toISOString().replace(/[-:T]|\.\d+/g, '')}`));

const hour = 3_600_000;
const explicit = (number: number, content: Buffer) => der(0xa0 + number, content);
const ipAddress = 0x87;

/** Key and certificate of a TLS server on 127.0.0.1, good for an hour. */
export const selfSignedCertificate = (): { key: string; cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const names = der(tag.sequence, der(ipAddress, Buffer.of(127, 0, 0, 1)));
  const toBeSigned = der(
    tag.sequence,
    explicit(0, der(tag.integer, Buffer.of(2))),
    der(tag.integer, Buffer.of(1)),
    ecdsaWithSha256,
    nameOf('loopback'),
    der(tag.sequence, timeOf(Date.now() - hour), timeOf(Date.now() + hour)),
    nameOf('loopback'),
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, der(tag.sequence, der(tag.sequence, objectId(subjectAltName), der(tag.octets, names)))),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const certificate = der(tag.sequence, toBeSigned, ecdsaWithSha256, der(tag.bits, Buffer.of(0), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
};
