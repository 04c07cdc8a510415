import { rm } from 'node:fs/promises'
import type { Services } from '../services.ts'
import { makeFolder } from '../storage/index.ts'
import { ApiError } from '../../core/errors.ts'
import { SMALL_BODY_BYTES } from './body.ts'
import { rateLimitKey } from './client_address.ts'
import { GatheredBytes } from './gathered_bytes.ts'
import { parseBody } from './parameters.ts'
import type { Request } from './request.ts'
import type { Reply } from './respond.ts'
import { createBodyMemory, type Reservation } from './body_memory.ts'
import type { Arrival } from './slow_senders.ts'
import { spoolForm, spoolWhole, type Spool } from './spool.ts'
import type { ParamTree } from './tree.ts'

/** Reading pauses while this much of a body waits to be written. */
const WAITING_BYTES = 256 * 1024
/** Beyond this, a body is written synchronously. */
const MAX_WAITING_BYTES = 1024 * 1024
/**
 * The limit of a large body that is not a multipart form: two pictures of 8 MiB as base64, and
 * texts. It is read as a whole.
 */
const WHOLE_BYTES = 24 * 1024 * 1024

/**
 * The limits of bodies that are being written to disk, in total and per user or address: four large
 * films. Each body counts as at least this much.
 */
const ON_DISK = { limitBytes: 4096 * 1024 * 1024, ownerLimitBytes: 512 * 1024 * 1024 }
const MIN_BYTES = 8 * 1024 * 1024
/** The same for bodies that are read as a whole. */
const READ = { limitBytes: 4 * WHOLE_BYTES, ownerLimitBytes: 2 * WHOLE_BYTES }

/** A body that waits for permission, and is then written to disk as it arrives. */
export interface LargeBody {
  /**
   * Accepts the body from an authorized sender, and reads its parameters.
   * @throws ApiError when it is malformed or too large, space is short, or the client disconnects
   */
  receive(userId: string): Promise<ParamTree>
  /** Removes the written files. */
  end(): Promise<void>
}

export const isLargeBody = (body: unknown): body is LargeBody =>
  typeof body === 'object' && body !== null && 'receive' in body

/**
 * Moves a body from the client to a spool. Reading is paused before `send`, and while more than a
 * little waits to be written. Data that has already reached this machine still arrives, some
 * megabytes at once from a nearby client: it is then written synchronously.
 */
class Intake {
  readonly #arrival: Arrival
  readonly #limitBytes: number
  /** Counts the bytes that wait for `send`. */
  readonly #reservation: Reservation
  readonly #early = new GatheredBytes()
  #spool: Spool | undefined
  #writing: Promise<void> | undefined
  #comeBytes = 0
  #isWhole = false
  #failure: ApiError | undefined
  readonly #end = Promise.withResolvers<void>()

  constructor(reply: Reply, limitBytes: number, reservation: Reservation, arrival: Arrival) {
    this.#arrival = arrival
    this.#limitBytes = limitBytes
    this.#reservation = reservation
    // It may fail before anything awaits it.
    this.#end.promise.catch(() => undefined)
    arrival.pause()
    reply.onAbort = () => this.#drop(new ApiError('requestTimeout'))
    reply.beforeResponse = () => {
      this.#drop(new ApiError('requestTimeout'))
      arrival.resume()
    }
    reply.response.onData((chunk, isLast) => this.#take(new Uint8Array(chunk), isLast))
  }

  /**
   * Sends the whole body to the spool. @throws ApiError when the spool does, the limit is exceeded,
   * or the client disconnects
   */
  async send(spool: Spool): Promise<void> {
    const early = this.#early.takeAll()
    this.#reservation.release()
    this.#spool = spool
    for (const chunk of early) this.#push(chunk)
    if (early.length === 0) this.#arrival.resume()
    await this.#end.promise
  }

  /** Resolves when no write is in progress. */
  async settled(): Promise<void> {
    await this.#writing
  }

  /** @param chunk is only lent */
  #take(chunk: Uint8Array, isLast: boolean): void {
    if (this.#failure) return
    this.#comeBytes += chunk.byteLength
    this.#isWhole = isLast
    if (isLast) this.#arrival.end()
    else this.#arrival.progress()
    if (this.#comeBytes > this.#limitBytes) return this.#drop(new ApiError('tooLarge'))
    if (this.#spool) return this.#push(Buffer.from(chunk))
    const full = this.#reservation.take(this.#early.costOf(chunk.byteLength))
    if (full) return this.#drop(full)
    this.#early.add(chunk)
  }

  #push(chunk: Buffer): void {
    if (this.#failure || !this.#spool) return
    try {
      this.#spool.push(chunk)
      if (this.#spool.waitingBytes > MAX_WAITING_BYTES) this.#spool.writeNow()
    } catch (error) {
      return this.#drop(asFailure(error))
    }
    if (this.#spool.waitingBytes > WAITING_BYTES && !this.#isWhole) this.#arrival.pause()
    this.#writing ??= this.#write(this.#spool)
  }

  /** Writes until nothing waits, then resumes reading. Never rejects. */
  async #write(spool: Spool): Promise<void> {
    try {
      do await spool.write()
      while (spool.waitingBytes > 0 && !this.#failure)
      if (this.#isWhole) this.#end.resolve()
      else this.#arrival.resume()
    } catch (error) {
      this.#drop(asFailure(error))
    } finally {
      this.#writing = undefined
    }
  }

  /** Accepts no more data; the rest is read and dropped. */
  #drop(reason: ApiError): void {
    this.#failure ??= reason
    this.#arrival.end()
    this.#early.takeAll()
    this.#reservation.release()
    this.#end.reject(this.#failure)
  }
}

const asFailure = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('internal', { cause: error })

/**
 * Accepts large bodies: only from permitted senders, no faster than the disk, and within limits per
 * sender.
 */
export function createLargeBodies(services: Pick<Services, 'config' | 'logger'>) {
  const onDisk = createBodyMemory(ON_DISK)
  const read = createBodyMemory(READ)

  /** Whether the body of a request may be large: its length is large or unknown. */
  const isLarge = (claimedBytes: number, request: Request): boolean =>
    claimedBytes > SMALL_BODY_BYTES || request.header('transfer-encoding') !== ''

  /** Call it before the first await of the handler. */
  function hold(
    reply: Reply,
    request: Request,
    limitBytes: number,
    claimedBytes: number,
    memory: Reservation,
    arrival: Arrival,
  ): LargeBody {
    const intake = new Intake(reply, limitBytes, memory, arrival)
    let spool: Spool | undefined
    const reservations: Reservation[] = []
    let folder: string | undefined
    const reserve = (reservation: Reservation, sizeBytes: number): void => {
      reservations.push(reservation)
      const full = reservation.take(sizeBytes)
      if (full) throw full
    }
    return {
      async receive(userId) {
        const owners = [`user ${userId}`, `address ${rateLimitKey(request.address)}`]
        const type = request.header('content-type')
        const isForm = /^\s*multipart\/form-data\s*(;|$)/i.test(type)
        if (!isForm && claimedBytes > WHOLE_BYTES) throw new ApiError('tooLarge')
        reserve(onDisk.open(...owners), Math.max(MIN_BYTES, claimedBytes === 0 ? limitBytes : claimedBytes))
        folder = await makeFolder(services, 'body').catch((error: unknown) => {
          throw new ApiError('unavailable', { cause: error })
        })
        if (isForm) {
          const form = (spool = spoolForm(type, folder))
          await intake.send(form)
          return form.tree()
        }
        const whole = (spool = spoolWhole(folder, Math.min(limitBytes, WHOLE_BYTES)))
        await intake.send(whole)
        reserve(read.open(...owners), whole.sizeBytes)
        return parseBody(await whole.read(), type)
      },
      async end() {
        for (const reservation of reservations) reservation.release()
        if (folder === undefined) return
        try {
          await intake.settled()
          await spool?.close()
          await rm(folder, { recursive: true, force: true })
        } catch (error) {
          services.logger.warn({ err: error, folder }, 'could not remove the files of a request')
        }
      },
    }
  }

  return { isLarge, hold }
}
