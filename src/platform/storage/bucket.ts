import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { PutObjectCommandInput, S3Client } from '@aws-sdk/client-s3'
import type { Config } from '../../core/config.ts'
import { ApiError } from '../../core/errors.ts'
import { lazyPromise } from '../../core/lazy.ts'
import { isPublicKey, typeOfKey } from './key.ts'
import type { ListedFile, Storage } from './storage.ts'

export type BucketOptions = Pick<
  Config,
  's3Endpoint' | 's3Region' | 's3AccessKeyId' | 's3SecretAccessKey' | 's3PathStyle' | 's3PublicUrl'
> & { readonly s3Bucket: string }

const CACHE_CONTROL = 'public, max-age=31536000, immutable'
const PRIVATE_CACHE_CONTROL = 'private, no-store'
const LENT_SECONDS = 300
const CONNECT_TIMEOUT_MS = 5000
/** How long the bucket may neither send nor take a byte, in each attempt of a request. */
const SILENCE_MS = 120_000
const MAX_TRIES = 3
/** After the first try; it doubles. */
const FIRST_PAUSE_MS = 200
const silent = (): void => {}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchKey')

/** The status of the response that caused the failure, if there was one. */
function statusOf(error: unknown): number | undefined {
  const { httpStatusCode } = (error as { $metadata?: { httpStatusCode?: unknown } }).$metadata ?? {}
  return typeof httpStatusCode === 'number' ? httpStatusCode : undefined
}

/** Whether another try may succeed: as the SDK decides, which does not repeat streams. */
function isTemporary(error: unknown): boolean {
  const status = statusOf(error)
  return status === undefined || status >= 500 || status === 429
}

/** The URL of the bucket itself, for public buckets. */
function addressOf({ s3Bucket, s3Endpoint, s3Region, s3PathStyle }: BucketOptions): string {
  const endpoint = s3Endpoint ?? `https://s3.${s3Region}.amazonaws.com`
  return s3PathStyle ? `${endpoint}/${s3Bucket}` : endpoint.replace('://', `://${s3Bucket}.`)
}

/** Loaded at first use, because it takes memory that a server with local files need not spend. */
async function connect(options: BucketOptions, silenceMs: number) {
  const { S3Client, ...commands } = await import('@aws-sdk/client-s3')
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = options
  const client: S3Client = new S3Client({
    region: options.s3Region,
    forcePathStyle: options.s3PathStyle,
    ...(options.s3Endpoint !== undefined && { endpoint: options.s3Endpoint }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    maxAttempts: MAX_TRIES,
    // Not `requestTimeout`: it would end large uploads that make progress, and spares responses
    // whose bodies stop arriving.
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: silenceMs },
    // It would write to the console what we log as a failure.
    logger: { trace: silent, debug: silent, info: silent, warn: silent, error: silent },
    // Not all S3-compatible services support Amazon's checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { client, getSignedUrl, ...commands }
}

/**
 * Uploads a file, again when that fails for a moment. Each try reads the file anew, because the SDK
 * cannot repeat a stream, and does not close it.
 */
async function withFile(source: string, upload: (body: Partial<PutObjectCommandInput>) => Promise<void>) {
  const ContentLength = (await stat(source)).size
  for (let tries = 1; ; tries += 1) {
    const Body = createReadStream(source)
    try {
      return await upload({ Body, ContentLength })
    } catch (error) {
      if (tries === MAX_TRIES || !(error instanceof ApiError) || !isTemporary(error.cause)) throw error
    } finally {
      Body.destroy()
    }
    await delay(FIRST_PAUSE_MS * 2 ** (tries - 1))
  }
}

/**
 * Stores files in an S3 bucket. Each is uploaded in one request, so that it is never stored
 * partially. The bucket's policy decides who may read it.
 */
export function openBucket(options: BucketOptions, { silenceMs = SILENCE_MS } = {}): Storage {
  const publicUrl = options.s3PublicUrl ?? addressOf(options)
  const bucket = { Bucket: options.s3Bucket }
  // Its files may be missing while they are replaced.
  const connection = lazyPromise(() => connect(options, silenceMs))

  /** @throws ApiError `unavailable` for any failure except a missing file */
  async function ask<T>(work: (s3: Awaited<ReturnType<typeof connect>>) => Promise<T>): Promise<T | undefined> {
    try {
      return await work(await connection())
    } catch (error) {
      if (isMissing(error)) return undefined
      throw new ApiError('unavailable', { cause: error })
    }
  }

  async function store(key: string, type: string, body: Partial<PutObjectCommandInput>): Promise<void> {
    if (typeOfKey(key) !== type) throw new Error(`the storage key "${key}" does not have the type ${type}`)
    await ask(async ({ client, PutObjectCommand }) => {
      const CacheControl = isPublicKey(key) ? CACHE_CONTROL : PRIVATE_CACHE_CONTROL
      await client.send(new PutObjectCommand({ ...bucket, Key: key, ContentType: type, CacheControl, ...body }))
    })
  }

  async function* list(): AsyncGenerator<ListedFile> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const StartAfter: string = after
      const page = await ask(({ client, ListObjectsV2Command }) =>
        client.send(new ListObjectsV2Command({ ...bucket, ...(StartAfter !== '' && { StartAfter }) })),
      )
      for (const { Key: key, LastModified: modifiedAt } of page?.Contents ?? [])
        if (key !== undefined && modifiedAt && typeOfKey(key) !== undefined) yield { key, modifiedAt }
      after = page?.IsTruncated ? page.Contents?.at(-1)?.Key : undefined
    }
  }

  return {
    origin: new URL(publicUrl).origin,
    list,
    put: (key, bytes, type) => store(key, type, { Body: bytes, ContentLength: bytes.byteLength }),
    putFile: (key, source, type) => withFile(source, body => store(key, type, body)),
    async remove(key) {
      if (typeOfKey(key) === undefined) throw new Error(`"${key}" is not a storage key`)
      await ask(({ client, DeleteObjectCommand }) => client.send(new DeleteObjectCommand({ ...bucket, Key: key })))
    },
    open: async key => (typeOfKey(key) === undefined ? undefined : { url: `${publicUrl}/${key}` }),
    withhold: async () => undefined,
    openWithheld: async () => undefined,
    sizeOf: key =>
      ask(async ({ client, HeadObjectCommand }) => {
        const { ContentLength } = await client.send(new HeadObjectCommand({ ...bucket, Key: key }))
        return ContentLength
      }),
    copyFor: (key, folder) =>
      ask(async ({ client, GetObjectCommand }) => {
        const { Body } = await client.send(new GetObjectCommand({ ...bucket, Key: key }))
        if (!(Body instanceof Readable)) return undefined
        const copy = path.join(folder, path.basename(key))
        await pipeline(Body, createWriteStream(copy, { flags: 'wx' }))
        return copy
      }),
    temporaryUrl: (key, fileName) =>
      ask(({ client, getSignedUrl, GetObjectCommand }) => {
        const ResponseContentDisposition = `attachment; filename="${fileName}"`
        const command = new GetObjectCommand({ ...bucket, Key: key, ResponseContentDisposition })
        return getSignedUrl(client, command, { expiresIn: LENT_SECONDS })
      }),
    url: key => `${publicUrl}/${key}`,
  }
}
