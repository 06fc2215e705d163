import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DetectedType, detectType } from './detect-type.ts';

const brands = (...list: string[]) => {
  const box = Buffer.from(`\0\0\0\0ftyp${list[0]}\0\0\0\0${list.slice(1).join('')}`, 'latin1');
  box.writeUInt32BE(box.length, 0);
  return box.toString('latin1');
};

test('images, videos and SVG are told apart by their first bytes', () => {
  const cases: [head: string, expected: DetectedType | undefined][] = [
    ['\xff\xd8\xff\xe0', 'image'],
    ['\x89PNG\r\n\x1a\n', 'image'],
    ['GIF89a', 'image'],
    ['GIF87a', 'image'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image'],
    ['RIFF\0\0\0\0WAVEfmt ', undefined],
    [brands('avif', 'mif1', 'miaf'), 'image'],
    [brands('mif1', 'avif', 'miaf'), 'image'],
    [brands('avis', 'avif'), 'image'],
    [brands('heic', 'mif1'), undefined],
    [brands('mif1', 'heic'), undefined],
    [brands('crx ', 'isom'), undefined],
    [brands('isom', 'iso2', 'avc1', 'mp41'), 'video'],
    [brands('qt  '), 'video'],
    [brands('M4V '), 'video'],
    // QuickTime from before there were brands.
    ['\0\0\0\x08wide\0\0\0\0mdat', 'video'],
    ['\0\x01\x7fBmoov\0\0\0lmvhd', 'video'],
    ['\0\x0b*\0mdatx', 'video'],
    ['\0\0\0\x14moovwxyz1234', undefined],
    ['Textmdat, and more of it', undefined],
    [`<?xml version="1.0"?>\n<!-- ${'long comment '.repeat(3_000)} -->\n<svg>`, 'svg'],
    [`\xff\xfe${[...'<svg>'].join('\0')}\0`, 'svg'],
    [`\xfe\xff\0${[...'<?xml?><svg/>'].join('\0')}`, 'svg'],
    [[...'<svg>'].map((char) => `${char}\0`).join(''), 'svg'],
    [`<!-- ${'x'.repeat(9_000)} --><html>`, undefined],
    ['\x1a\x45\xdf\xa3', 'video'],
    ['<svg>', 'svg'],
    ['\n <?xml version="1.0"?><!DOCTYPE svg><svg/>', 'svg'],
    ['<?xml version="1.0"?><!-- <a> --><svg xmlns="x">', 'svg'],
    ['<html><body>', undefined],
    ['', undefined],
    ['\xff\xd8', undefined],
    ['\0\0\0\0ftyp', 'video'],
  ];
  for (const [head, expected] of cases)
    assert.equal(detectType(Buffer.from(head, 'latin1')), expected, JSON.stringify(head));
});

test('any bytes are accepted as input', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => void detectType(Buffer.from(bytes))));
  const ftyp = fc
    .uint8Array({ maxLength: 32 })
    .map((rest) => Buffer.concat([Buffer.from('\0\0\0\xffftyp', 'latin1'), rest]));
  fc.assert(fc.property(ftyp, (bytes) => void detectType(bytes)));
});
