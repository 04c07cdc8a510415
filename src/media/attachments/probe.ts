import { LIMITS } from '../../core/limits.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import type { Demuxer } from '../../platform/storage/index.ts'
import { runProgram } from './run_program.ts'
import type { Size } from './size.ts'
import type { Tools } from './tools.ts'

export interface VideoStream extends Size {
  readonly codec: string
  readonly pixelFormat: string
  /** As a fraction, such as `30000/1001`. */
  readonly frameRate: string
  readonly framesPerSecond: number
  /** Its metadata asks for a rotation; width and height are those after it. */
  readonly turned: boolean
}

/** The contents of an audio or video file. */
export interface Probed {
  readonly durationSeconds: number | undefined
  readonly bitsPerSecond: number | undefined
  readonly video: VideoStream | undefined
  /** The codec of the first audio stream. */
  readonly audio: string | undefined
  /** There is a cover with the audio. */
  readonly hasCover: boolean
}

/** Probing a file is quick; only files made for that take longer, and they are refused. */
const TIMEOUT_MS = 20_000
const semaphore = createSemaphore(4, 32)
const ENTRIES = [
  'format=duration,bit_rate',
  'stream=codec_type,codec_name,width,height,pix_fmt,r_frame_rate,avg_frame_rate',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
  'stream_tags=rotate',
].join(':')

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null
const membersOf = (value: unknown): Members => (isMembers(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The frames in a second of `30000/1001`; 0 for ffprobe's `0/0`, which means unknown. */
function rateOf(fraction: string): number {
  const [over = 0, under = 0] = fraction.split('/').map(Number)
  return under > 0 && Number.isFinite(over) ? over / under : 0
}

function readVideo(stream: Members): VideoStream {
  const sideData = listOf(stream['side_data_list']).map(membersOf)
  const rotation =
    numberOf(sideData.find(one => 'rotation' in one)?.['rotation']) ??
    numberOf(membersOf(stream['tags'])['rotate']) ??
    0
  const [width, height] = [numberOf(stream['width']) ?? 0, numberOf(stream['height']) ?? 0]
  const isSideways = Math.abs(rotation) % 180 === 90
  const average = textOf(stream['avg_frame_rate'])
  const frameRate = rateOf(average) > 0 ? average : textOf(stream['r_frame_rate'])
  return {
    codec: textOf(stream['codec_name']),
    pixelFormat: textOf(stream['pix_fmt']),
    frameRate,
    framesPerSecond: rateOf(frameRate),
    turned: rotation !== 0,
    ...(isSideways ? { width: height, height: width } : { width, height }),
  }
}

/** Parses ffprobe's JSON output. */
function readProbed(printed: string): Probed {
  const document = membersOf(JSON.parse(printed))
  const format = membersOf(document['format'])
  const streams = listOf(document['streams']).map(membersOf)
  const isCover = (stream: Members): boolean => numberOf(membersOf(stream['disposition'])['attached_pic']) === 1
  const pictures = streams.filter(stream => stream['codec_type'] === 'video')
  const video = pictures.find(stream => !isCover(stream))
  const audio = streams.find(stream => stream['codec_type'] === 'audio')
  return {
    durationSeconds: numberOf(format['duration']),
    bitsPerSecond: numberOf(format['bit_rate']),
    video: video && readVideo(video),
    audio: audio && textOf(audio['codec_name']),
    hasCover: pictures.some(isCover),
  }
}

/**
 * The largest picture or frame that is decoded. A cover of a few megabytes, or a frame that is
 * larger than the file says, could otherwise take gigabytes of memory.
 */
const MAX_PIXELS = LIMITS.media_attachments.image_matrix_limit

/** Arguments for a local file, which forbid to open anything else: no network, no device. */
const fileArguments = (path: string, demuxer: Demuxer): string[] => [
  '-protocol_whitelist',
  'file,pipe',
  '-f',
  demuxer,
  '-i',
  `file:${path}`,
]

/**
 * The ffmpeg arguments for a local file, which forbid to open anything else, and to decode pictures
 * that are too large.
 */
export const input = (path: string, demuxer: Demuxer): string[] => [
  '-max_pixels',
  String(MAX_PIXELS),
  ...fileArguments(path, demuxer),
]

/**
 * Probes a file. One whose frames are too large to be decoded is described by its header.
 * @throws Error when it cannot be read; ApiError `unavailable` when too many are waiting
 */
export async function probe({ ffprobe }: Tools, path: string, demuxer: Demuxer, signal?: AbortSignal): Promise<Probed> {
  const run = async (args: readonly string[]): Promise<Probed> => {
    const all = ['-v', 'error', '-show_entries', ENTRIES, '-of', 'json', ...args]
    return readProbed(await runProgram(ffprobe, all, { timeoutMs: TIMEOUT_MS, signal }))
  }
  return semaphore.run(async () => {
    const found = await run(input(path, demuxer)).catch((error: unknown) =>
      error instanceof Error ? error : new Error('ffprobe failed', { cause: error }),
    )
    if (!(found instanceof Error) && (!found.video || found.video.width > 0)) return found
    // Nothing is decoded.
    const header = await run(['-nofind_stream_info', ...fileArguments(path, demuxer)]).catch(() => undefined)
    if (header?.video && header.video.width * header.video.height > MAX_PIXELS) return header
    if (found instanceof Error) throw found
    return found
  })
}
