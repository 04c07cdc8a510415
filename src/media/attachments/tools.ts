import { perServer, type Services } from '../../platform/services.ts'
import { runProgram } from './run_program.ts'

/** The programs that read and convert audio and video. */
export interface Tools {
  readonly ffmpeg: string
  readonly ffprobe: string
}

const TIMEOUT_MS = 10_000
/** Starting to serve is done by then. */
const LOOK_AFTER_MS = 5_000
const ENCODERS = ['libx264', 'aac', 'libmp3lame']

async function findMissing({ ffmpeg, ffprobe }: Tools): Promise<string[]> {
  const works = async (program: string, args: string[]): Promise<string | undefined> =>
    runProgram(program, args, { timeoutMs: TIMEOUT_MS }).catch(() => undefined)
  const [encoders, probe] = await Promise.all([
    works(ffmpeg, ['-v', 'error', '-encoders']),
    works(ffprobe, ['-version']),
  ])
  const errors = probe === undefined ? [ffprobe] : []
  if (encoders === undefined) return [ffmpeg, ...errors]
  const known = new Set(encoders.split(/\s+/))
  return [...errors, ...ENCODERS.filter(name => !known.has(name)).map(name => `${ffmpeg}: ${name}`)]
}

/** Aborted when the server stops, after the open requests were answered. */
export const shutdownSignal: (services: Services) => AbortSignal = perServer(({ onClose }: Services) => {
  const controller = new AbortController()
  onClose(() => controller.abort())
  return controller.signal
})

/**
 * The programs; undefined when they are not installed, which is logged when it is found out. They
 * are looked for again by each call until they are there: a busy machine may have been too slow, or
 * they may have been installed. To look for a program that is not there costs next to nothing.
 */
export const findTools: (services: Services) => Promise<Tools | undefined> = (services: Services) => lookup(services)()

const lookup = perServer(({ config, logger }: Services) => {
  const tools = { ffmpeg: config.ffmpeg, ffprobe: config.ffprobe }
  let looking: Promise<Tools | undefined> | undefined
  let isReported = false
  const look = async (): Promise<Tools | undefined> => {
    const missing = await findMissing(tools)
    if (missing.length === 0) return tools
    if (!isReported)
      logger.warn({ missing }, 'ffmpeg is missing: audio and video are refused, animated GIFs are not converted')
    isReported = true
    looking = undefined
    return undefined
  }
  return () => (looking ??= look())
})

/**
 * Call it before the server listens. The programs are looked for later, because that takes 0.3 s of
 * the processor, or by the first upload that needs them.
 */
export function openTools(services: Services): void {
  // Parts close in reverse order: this one opens before the server listens, so it closes after it.
  shutdownSignal(services)
  const timer = setTimeout(() => void findTools(services), LOOK_AFTER_MS).unref()
  services.onClose(() => clearTimeout(timer))
}

const VERSION = /^ffmpeg version (\S+)/

/** The version of ffmpeg; undefined when it is not installed. */
export const ffmpegVersion: (services: Services) => Promise<string | undefined> = perServer(
  async ({ config }: Services) => {
    const about = await runProgram(config.ffmpeg, ['-version'], { timeoutMs: TIMEOUT_MS }).catch(() => '')
    return VERSION.exec(about)?.[1]
  },
)
