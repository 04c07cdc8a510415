import path from 'node:path'
import type { Demuxer } from '../../platform/storage/index.ts'
import { input, probe, type Probed } from './probe.ts'
import { runProgram } from './run_program.ts'
import type { Tools } from './tools.ts'

/** A file to convert, and the place for the results. */
export interface Conversion {
  readonly tools: Tools
  readonly source: string
  readonly demuxer: Demuxer
  readonly probed: Probed
  /** A folder for this conversion only. */
  readonly folder: string
  readonly signal: AbortSignal | undefined
}

export interface Converted {
  readonly path: string
  readonly probed: Probed
  /** A frame of it, or its embedded cover. */
  readonly still: string | undefined
}

const TIMEOUT_MS = 15 * 60 * 1000
/** ffmpeg stops at this size; the file is then refused. */
const MAX_BYTES = 256 * 1024 * 1024
const MAX_FRAMES_PER_SECOND = 60
const words = (text: string): string[] => text.split(' ')

const QUIET = ['-nostdin', '-hide_banner', '-v', 'error', '-y']
/** Removes what the file says about its author, place and time. */
const WITHOUT_METADATA = words('-map_metadata -1 -map_chapters -1 -sn -dn')
/** H.264 in 4:2:0 needs even sides. */
const EVEN = `scale='max(2,trunc(iw/2)*2)':'max(2,trunc(ih/2)*2)'`

async function run({ tools, signal }: Conversion, args: readonly string[]): Promise<void> {
  await runProgram(tools.ffmpeg, [...QUIET, ...args], { timeoutMs: TIMEOUT_MS, signal })
}

/** Files that every browser can play are copied without encoding. */
function isPlayable({ video, audio }: Probed): boolean {
  return (
    video?.codec === 'h264' &&
    (video.pixelFormat === 'yuv420p' || video.pixelFormat === 'yuvj420p') &&
    !video.turned &&
    video.framesPerSecond <= MAX_FRAMES_PER_SECOND &&
    (audio === undefined || audio === 'aac')
  )
}

const ENCODED = [
  ...words('-c:v libx264 -preset veryfast -crf 23 -pix_fmt yuv420p -threads 2 -c:a aac -b:a 128k -ac 2'),
  '-fpsmax',
  String(MAX_FRAMES_PER_SECOND),
  '-vf',
  EVEN,
]
const STILL = words('-frames:v 1 -c:v png -f image2')

/**
 * Converts to MP4 with H.264 and AAC, and extracts the first frame.
 * @throws Error when ffmpeg fails
 */
export async function convertVideo(conversion: Conversion): Promise<Converted> {
  const { tools, source, demuxer, probed, folder, signal } = conversion
  const file = path.join(folder, 'video.mp4')
  const still = path.join(folder, 'still.png')
  await run(conversion, [
    ...input(source, demuxer),
    ...words(probed.audio === undefined ? '-map 0:V:0' : '-map 0:V:0 -map 0:a:0'),
    ...(isPlayable(probed) && demuxer === 'mov' ? words('-c copy') : ENCODED),
    ...WITHOUT_METADATA,
    ...words(`-movflags +faststart -fs ${MAX_BYTES} -f mp4`),
    file,
  ])
  await run(conversion, [...input(file, 'mov'), ...words('-map 0:V:0'), ...STILL, still])
  return { path: file, probed: await probe(tools, file, 'mov', signal), still }
}

/** Extracts the embedded cover; undefined when it is damaged or too large. @throws when aborted */
async function extractCover(conversion: Conversion): Promise<string | undefined> {
  const { source, demuxer, folder, signal } = conversion
  const still = path.join(folder, 'cover.png')
  try {
    await run(conversion, [...input(source, demuxer), ...words('-map 0:v:0'), ...STILL, still])
    return still
  } catch (error) {
    if (signal?.aborted) throw error
    return undefined
  }
}

/**
 * Converts to MP3, and extracts the embedded cover if it is readable.
 * @throws Error when ffmpeg fails
 */
export async function convertAudio(conversion: Conversion): Promise<Converted> {
  const { tools, source, demuxer, probed, folder, signal } = conversion
  const file = path.join(folder, 'audio.mp3')
  await run(conversion, [
    ...input(source, demuxer),
    ...words('-map 0:a:0 -vn'),
    ...words(probed.audio === 'mp3' ? '-c:a copy' : '-c:a libmp3lame -q:a 2'),
    ...WITHOUT_METADATA,
    ...words(`-fs ${MAX_BYTES} -f mp3`),
    file,
  ])
  const still = probed.hasCover ? await extractCover(conversion) : undefined
  return { path: file, probed: await probe(tools, file, 'mp3', signal), still }
}

/** Whether ffmpeg stopped because the file reached the limit. */
export const isCutOff = (sizeBytes: number): boolean => sizeBytes >= MAX_BYTES * 0.99
