import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import sharp, { type Sharp } from 'sharp'
import type { ClientResponse, Client } from '../../support/client.ts'

const run = promisify(execFile)

export type Entity = Record<string, unknown> & { id: string }

/** The entity in a response; fails for another status. */
export function entity(answer: ClientResponse, status = 200): Entity {
  assert.equal(answer.status, status, answer.text)
  assert.ok(typeof answer.json === 'object' && answer.json !== null, answer.text)
  return answer.json as Entity
}

export const errorOf = (answer: ClientResponse): unknown => (answer.json as { error?: unknown } | undefined)?.error

export interface Sent {
  /** The type that the client claims. */
  type?: string
  name?: string
  thumbnail?: Buffer
  description?: string
  focus?: string
}

/** Uploads bytes as a file of a form. */
export function upload(client: Client, version: 'v1' | 'v2', bytes: Buffer, sent: Sent = {}): Promise<ClientResponse> {
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(bytes)], { type: sent.type ?? 'image/png' }), sent.name ?? 'file')
  if (sent.thumbnail) form.append('thumbnail', new Blob([Uint8Array.from(sent.thumbnail)]), 'thumbnail')
  if (sent.description !== undefined) form.append('description', sent.description)
  if (sent.focus !== undefined) form.append('focus', sent.focus)
  return client.post(`/api/${version}/media`, form)
}

/** A picture of one colour, with a white corner that shows its orientation. */
export const picture = (width: number, height: number, colour = '#c03020'): Sharp =>
  sharp({ create: { width, height, channels: 3, background: colour } }).composite([
    {
      input: {
        create: { width: Math.ceil(width / 4), height: Math.ceil(height / 4), channels: 3, background: '#ffffff' },
      },
      gravity: 'northwest',
    },
  ])

/** A GIF of two frames. */
export async function movingGif(width: number, height: number): Promise<Buffer> {
  const frames = await Promise.all(
    ['#ff0000', '#0000ff'].map(colour => picture(width, height, colour).png().toBuffer()),
  )
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100] })
    .toBuffer()
}

/** The bytes of a file of this server that an entity names. */
export async function fetchFile(url: unknown): Promise<{ bytes: Buffer; headers: Headers; status: number }> {
  assert.equal(typeof url, 'string')
  const response = await fetch(String(url))
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers, status: response.status }
}

/** Whether a file of this server exists; it may be removed during the request. */
export const isThere = async (url: unknown): Promise<boolean> =>
  (await fetch(String(url), { method: 'HEAD' })).status === 200

const TIMEOUT_MS = 120_000
/** Asked without a pause, the server would leave ffmpeg no processor. */
const AGAIN_MS = 50

/** Repeats a request, as clients do, until the response satisfies the condition. */
export async function until<T>(ask: () => Promise<T>, holds: (answer: T) => boolean, what: string): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const answer = await ask()
    if (holds(answer)) return answer
    if (Date.now() > deadline) throw new Error(`waited ${TIMEOUT_MS / 1000} s for ${what}`)
    await delay(AGAIN_MS)
  }
}

/** Why tests that need ffmpeg are skipped, or false. */
export const withoutFfmpeg: false | string = await run('ffmpeg', ['-version']).then(
  () => false as const,
  () => 'ffmpeg is not installed',
)

/** A file that ffmpeg generates from its test sources; the arguments precede the file's name. */
export async function recording(extension: string, ...args: string[]): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-recording-'))
  try {
    const file = path.join(folder, `file.${extension}`)
    await run('ffmpeg', ['-v', 'error', '-nostdin', ...args, file])
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const FILM = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=10:duration=1']
export const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1']

/** Uploads as current clients do and waits until the file is processed. */
export async function processed(owner: Client, bytes: Buffer, sent: Sent): Promise<Entity> {
  const accepted = entity(await upload(owner, 'v2', bytes, sent), 202)
  assert.equal(accepted['url'], null)
  const path = `/api/v1/media/${accepted.id}`
  const ready = await until(
    () => owner.get(path),
    response => response.status !== 206,
    'the file to be processed',
  )
  return entity(ready)
}

/** The member of a recording's `meta` about the original. */
export const originalOf = (made: Entity): Record<string, unknown> =>
  (made['meta'] as Record<string, Record<string, unknown>>)['original'] ?? {}

/** The codecs of the streams of a file. */
export async function streamsOf(url: unknown): Promise<string[]> {
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'stream=codec_name',
    '-of',
    'csv=p=0',
    String(url),
  ])
  return stdout.trim().split('\n')
}
