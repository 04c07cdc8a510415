import assert from 'node:assert/strict'
import type { Test } from 'tap'
import type { ServerAddress } from '../../support/server.ts'

interface Message {
  readonly event: string
  readonly id: string | undefined
  readonly data: string
}

/** Reads server-sent events. */
export class LiveReader {
  readonly #reader: ReadableStreamDefaultReader<string>
  #text = ''

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.pipeThrough(new TextDecoderStream()).getReader()
  }

  /** The next message, or undefined at the end of the stream. Comments are skipped. */
  async next(): Promise<Message | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end < 0) {
        const { done, value } = await this.#reader.read()
        if (done) return undefined
        this.#text += value
        continue
      }
      const lines = this.#text.slice(0, end).split('\n')
      this.#text = this.#text.slice(end + 2)
      const valueOf = (name: string): string[] =>
        lines.filter(line => line.startsWith(`${name}: `)).map(line => line.slice(name.length + 2))
      const [event] = valueOf('event')
      if (event !== undefined) return { event, id: valueOf('id')[0], data: valueOf('data').join('\n') }
    }
  }

  close(): Promise<void> {
    return this.#reader.cancel()
  }
}

/** Opens the live timeline of the public pages until the end of the test. */
export async function listen(
  t: Test,
  { url }: ServerAddress,
  path: string,
  headers: Record<string, string> = {},
): Promise<LiveReader> {
  const response = await fetch(`${url}${path}`, { headers })
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/event-stream; charset=utf-8'])
  assert.ok(response.body)
  const reader = new LiveReader(response.body)
  t.after(() => reader.close())
  return reader
}
