import type { Sample } from '../report/report.ts'
import type { Run } from '../scenario.ts'

const MAX_SAMPLES = 600

/** Reads the resident memory of the server in bytes. */
export const serverMemory = (run: Run) => async (): Promise<number | undefined> =>
  (await run.target.local?.usage())?.memoryBytes

/** Samples memory until it is stopped. @param seconds about how long that will be */
export function watchMemory(read: () => Promise<number | undefined>, seconds: number): () => Sample[] {
  const samples: Sample[] = []
  const startedAt = performance.now()
  const look = async (): Promise<void> => {
    const bytes = await read()
    if (bytes !== undefined)
      samples.push({ seconds: (performance.now() - startedAt) / 1000, megabytes: bytes / 2 ** 20 })
  }
  const timer = setInterval(() => void look(), Math.max(1000, (seconds * 1000) / MAX_SAMPLES))
  return () => {
    clearInterval(timer)
    return samples
  }
}
