import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import S3rver from 's3rver'
import type { Test } from 'tap'

const BUCKET = 'media'

/** An S3 service with an empty, publicly readable bucket. */
export interface TestBucket {
  /** The configuration of a server that uses it. */
  readonly env: Record<string, string>
  /** The URL of the bucket. */
  readonly url: string
  /** Stops the service. */
  stop(): Promise<void>
}

export async function openTestBucket(t: Test): Promise<TestBucket> {
  const directory = await mkdtemp(path.join(tmpdir(), 'millrace-bucket-'))
  const service = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  const { port } = await service.run()
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= service.close())
  t.after(async () => {
    await stop()
    await rm(directory, { recursive: true, force: true })
  })
  const endpoint = `http://127.0.0.1:${port}`
  return {
    url: `${endpoint}/${BUCKET}`,
    env: {
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    stop,
  }
}
