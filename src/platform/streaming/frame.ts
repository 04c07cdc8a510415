import type { Cursor } from '../events/index.ts'

/** One message of a channel before a transport encodes it. R is the domain's record of a reader. */
export interface Frame<R> {
  /** The event's name: `update`, `delete` and so on. */
  readonly event: string
  /**
   * On one line; undefined for an event without payload. Excludes `end` when that differs between
   * readers.
   */
  readonly payload: string | undefined
  /** The rest of the payload for most readers; absent for none. */
  readonly end?: string
  /**
   * Finds the ends for these readers in time slices; undefined when `endFor` has nothing left to
   * compute. Called before the frame is sent, until it returns undefined.
   */
  readonly prepare?: (readers: Iterable<R>) => Promise<void> | undefined
  /**
   * The end for this reader, or undefined to skip the reader. Pure and synchronous. When absent,
   * all readers get `end`.
   */
  readonly endFor?: (reader: R) => string | undefined
}

/**
 * Several frames when one event has several effects, such as all statuses that a block removes from
 * a feed.
 */
export type Rendered<R> = Frame<R> | readonly Frame<R>[] | undefined

export const framesOf = <R>(rendered: Rendered<R>): readonly Frame<R>[] =>
  rendered === undefined ? [] : 'event' in rendered ? [rendered] : rendered

/**
 * A transport's encoding of frames. The part before the end is encoded once for all readers with
 * the same encoder.
 */
export interface Encoder {
  before(frame: Frame<never>, id: Cursor): string
  after(frame: Frame<never>, end: string, id: Cursor): string
}

/** The text as it appears between the quotes of a JSON string. */
const escape = (text: string): string => JSON.stringify(text).slice(1, -1)

/** WebSocket messages: JSON, with the payload as a JSON text inside a string. */
export class SocketEncoder implements Encoder {
  readonly #stream: string
  readonly #withIds: boolean

  /** @param withIds whether messages carry the id that clients resume from */
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

/**
 * Server-sent events (HTML Living Standard, section 9.2). All data is JSON, because clients parse
 * it whatever the event's name is.
 */
export const EVENT_ENCODER: Encoder = {
  before: frame => `event: ${frame.event}\ndata: ${frame.payload ?? 'null'}`,
  after: (_frame, end) => `${end}\n\n`,
}

/** The same, each with the id that clients resume from. */
export const EVENT_ENCODER_WITH_IDS: Encoder = {
  ...EVENT_ENCODER,
  before: (frame, id) => `id: ${id}\n${EVENT_ENCODER.before(frame, id)}`,
}
