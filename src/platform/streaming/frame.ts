import type { Cursor } from '../events/index.ts'

/** One message of a channel, before a transport puts it into its own words. R is what the domain knows of a reader. */
export interface Frame<R> {
  /** `update`, `delete`, … (api/streaming.md, section 4). */
  readonly event: string
  /** On one line; undefined for an event without payload. Without its end, when that is not the same for all readers. */
  readonly payload: string | undefined
  /** What comes after the payload for most readers; absent: nothing. */
  readonly end?: string
  /** The end for this reader, or undefined when the reader is left out. Pure and synchronous. Absent: `end` for all. */
  readonly endFor?: (reader: R) => string | undefined
}

/** Several frames when one event makes several things known, such as all that a block takes out of a feed. */
export type Rendered<R> = Frame<R> | readonly Frame<R>[] | undefined

/** The frames, in their order. */
export const framesOf = <R>(rendered: Rendered<R>): readonly Frame<R>[] =>
  rendered === undefined ? [] : 'event' in rendered ? [rendered] : rendered

/** How a transport words frames. What is before the end is made once for all readers with the same wording. */
export interface Encoder {
  before(frame: Frame<never>, id: Cursor): string
  after(frame: Frame<never>, end: string, id: Cursor): string
}

/** As part of a JSON text between quotes. */
const escape = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Messages of a WebSocket: JSON, the payload a JSON text inside of it. */
export class SocketEncoder implements Encoder {
  readonly #stream: string
  readonly #withIds: boolean

  /** @param withIds whether messages carry the id that a client resumes by */
  constructor(label: readonly string[], withIds: boolean) {
    this.#stream = JSON.stringify(label)
    this.#withIds = withIds
  }

  before(frame: Frame<never>, id: Cursor): string {
    const envelope = `{"stream":${this.#stream},"event":"${frame.event}"${this.#withIds ? `,"id":"${id}"` : ''}`
    return frame.payload === undefined ? `${envelope}}` : `${envelope},"payload":"${escape(frame.payload)}`
  }

  after(frame: Frame<never>, end: string): string {
    return frame.payload === undefined ? '' : `${escape(end)}"}`
  }
}

/** Server-sent events (HTML Living Standard, section 9.2), each with the id that a client resumes by. All data is JSON: clients parse it without a look at the name. */
export const EVENT_ENCODER: Encoder = {
  before: (frame, id) => `id: ${id}\nevent: ${frame.event}\ndata: ${frame.payload ?? 'null'}`,
  after: (_frame, end) => `${end}\n\n`,
}
