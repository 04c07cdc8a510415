import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'tap'
import { people } from '../../support/people.ts'
import { processed, recording, TONE, withoutFfmpeg } from './media_fixtures.ts'
import { plainPng } from './plain_png.ts'

/** Seven bits a byte. */
const syncsafe = (size: number): Buffer => Buffer.from([21, 14, 7, 0].map(bits => (size >> bits) & 0x7f))

/** An MP3 file with a cover in its ID3 tag. */
async function withCover(cover: Buffer): Promise<Buffer> {
  const sound = await recording('mp3', ...TONE, '-write_id3v2', '0')
  const content = Buffer.concat([Buffer.from('\0image/png\0\x03\0', 'latin1'), cover])
  const frame = Buffer.concat([Buffer.from('APIC'), syncsafe(content.length), Buffer.alloc(2), content])
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), syncsafe(frame.length), frame, sound])
}

const read = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

/** The most memory that a program of this process takes until the work ends, in bytes. */
async function peakOfPrograms(work: Promise<unknown>): Promise<number> {
  const state = { ended: false, peak: 0 }
  void work.finally(() => (state.ended = true))
  while (!state.ended) {
    const children = (await read(`/proc/self/task/${process.pid}/children`)).trim().split(' ')
    for (const child of children) {
      const kilobytes = /VmHWM:\s+(\d+)/.exec(await read(`/proc/${child}/status`))?.[1] ?? 0
      state.peak = Math.max(state.peak, Number(kilobytes) * 1024)
    }
  }
  return state.peak
}

test('music with a damaged cover is accepted without it', { skip: withoutFfmpeg }, async t => {
  const { alice } = await people(t, 'alice')
  for (const cover of [Buffer.from('no picture'), plainPng(100, 100, 'transparent').subarray(0, 60)]) {
    const made = await processed(alice, await withCover(cover), { type: 'audio/mpeg' })
    assert.deepEqual([made['type'], made['preview_url']], ['audio', null])
  }
})

test('a cover of a hundred kilobytes and forty megapixels is not decoded', { skip: withoutFfmpeg }, async t => {
  const { alice } = await people(t, 'alice')
  const work = processed(alice, await withCover(plainPng(8000, 5000, 'transparent')), { type: 'audio/mpeg' })
  const peak = await peakOfPrograms(work)
  assert.ok(peak > 0 && peak < 250_000_000, `${peak} bytes`)
  assert.deepEqual([(await work)['type'], (await work)['preview_url']], ['audio', null])
})
