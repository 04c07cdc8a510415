import assert from 'node:assert/strict'
import { test } from 'tap'
import { sniffMedia } from '../../../src/platform/storage/index.ts'

const iso = (brand: string, ...compatible: string[]): Buffer =>
  Buffer.from(`\0\0\0\x20ftyp${brand}\0\0\0\0${compatible.join('')}`, 'latin1')

test('the type of a file is detected from its first bytes', async () => {
  const cases: [Buffer, string | undefined, string | undefined][] = [
    [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image', 'image/jpeg'],
    [Buffer.from('GIF89a'), 'image', 'image/gif'],
    [iso('avif'), 'image', 'image/avif'],
    [iso('mif1', 'miaf', 'avif'), 'image', 'image/avif'],
    [iso('heic', 'mif1'), 'image', 'image/heic'],
    [iso('mif1', 'heic'), 'image', 'image/heic'],
    [iso('mif1', 'miaf'), 'image', 'image/heif'],
    [iso('isom', 'avc1'), 'recording', 'video/mp4'],
    [iso('qt  '), 'recording', 'video/quicktime'],
    [iso('M4A '), 'audio', 'audio/mp4'],
    [iso('3gp4'), 'audio', 'audio/3gpp'],
    [Buffer.from('\0\0\0\x08wide\0\0\0\0mdat'), 'recording', 'video/quicktime'],
    [Buffer.from('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm', 'latin1'), 'recording', 'video/webm'],
    [Buffer.from('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska', 'latin1'), undefined, undefined],
    [Buffer.from('OggS\0\x02'), 'recording', 'video/ogg'],
    [Buffer.from('fLaC'), 'audio', 'audio/flac'],
    [Buffer.from('RIFF\0\0\0\0WAVEfmt '), 'audio', 'audio/wav'],
    [Buffer.from('RIFF\0\0\0\0AVI LIST'), undefined, undefined],
    [Buffer.from('ID3\x04'), 'audio', 'audio/mpeg'],
    [Buffer.from([0xff, 0xfb, 0x90, 0]), 'audio', 'audio/mpeg'],
    [Buffer.from([0xff, 0xf1, 0x50, 0x80]), 'audio', 'audio/aac'],
    [Buffer.from([0xff, 0xff, 0xff, 0xff]), undefined, undefined],
    [Buffer.from('<html>'), undefined, undefined],
    [Buffer.alloc(0), undefined, undefined],
  ]
  for (const [bytes, kind, type] of cases) {
    const sniffed = sniffMedia(bytes)
    assert.deepEqual([sniffed?.kind, sniffed?.type], [kind, type], bytes.toString('latin1'))
  }
})
