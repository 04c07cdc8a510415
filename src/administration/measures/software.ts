import { humanSize } from '../../core/human_size.ts'
import { MILLRACE_VERSION, VERSION } from '../../instance/index.ts'
import { ffmpegVersion } from '../../media/attachments/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { loadSharp } from '../../platform/storage/sharp.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { createFigureCache } from './figure_cache.ts'

const storageQuery = query(
  'administration/measures/storage',
  {},
  { version: c.text, database_bytes: c.bigint, media_bytes: c.bigint, counted: c.bigint },
)

/** A row of a dimension. */
export interface Entry {
  readonly key: string
  readonly human_key: string
  readonly value: string
  readonly unit?: 'bytes'
  readonly human_value?: string
}

/** The version of PostgreSQL, and the bytes that the database and the files take. */
interface StorageUsage {
  readonly version: string
  readonly databaseBytes: number
  readonly mediaBytes: number
}

const usageCache = perServer(() => createFigureCache<StorageUsage>())

/** Reads the storage usage; on a large database it may be up to five minutes old. */
export const readStorage = (services: Services): Promise<StorageUsage> =>
  usageCache(services)('storage', async () => {
    const row = await services.database.one(storageQuery, {})
    if (!row) throw new Error('the database has no size')
    // Packagers add their name: `18.1 (Debian 18.1-1)`.
    const [version = row.version] = row.version.split(' ')
    const value = { version, databaseBytes: Number(row.database_bytes), mediaBytes: Number(row.media_bytes) }
    return { value, rows: Number(row.counted) }
  })

const toByteEntry = (key: string, name: string, value: number): Entry => ({
  key,
  human_key: name,
  value: String(value),
  unit: 'bytes',
  human_value: humanSize(value),
})

/** The storage in use. */
export async function readSpaceUsage(services: Services): Promise<Entry[]> {
  const { databaseBytes, mediaBytes } = await readStorage(services)
  return [toByteEntry('postgresql', 'PostgreSQL', databaseBytes), toByteEntry('media', 'Media storage', mediaBytes)]
}

const toVersionEntry = (key: string, name: string, value: string): Entry => ({
  key,
  human_key: name,
  value,
  human_value: value,
})

/** The versions of the server and of the software it runs on. */
export async function readSoftwareVersions(services: Services): Promise<Entry[]> {
  const [{ version: postgresql }, sharp, ffmpeg] = await Promise.all([
    readStorage(services),
    loadSharp(),
    ffmpegVersion(services),
  ])
  return [
    toVersionEntry('mastodon', 'Mastodon', VERSION),
    toVersionEntry('millrace', 'Millrace', MILLRACE_VERSION),
    toVersionEntry('nodejs', 'Node.js', process.versions.node),
    toVersionEntry('postgresql', 'PostgreSQL', postgresql),
    toVersionEntry('libvips', 'libvips', sharp.versions.vips),
    ...(ffmpeg === undefined ? [] : [toVersionEntry('ffmpeg', 'FFmpeg', ffmpeg)]),
  ]
}
