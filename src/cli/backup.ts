import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import type { Command } from 'commander'
import { MILLRACE_VERSION } from '../instance/index.ts'
import { BackupError } from '../platform/backup/backup_error.ts'
import type { Storage } from '../platform/storage/index.ts'
import type { CliContext } from './cli_context.ts'
import { formatBytes } from './format_bytes.ts'
import { openProgress } from './progress.ts'

const STANDARD = '-'

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** The configured bucket, if any. */
async function openBucketOf(session: CliContext): Promise<Storage | undefined> {
  const config = await session.config()
  if (config.s3Bucket === undefined) return undefined
  return (await import('../platform/storage/index.ts')).openStorage(config)
}

interface BackupFlags {
  readonly bucket?: true
}

async function backup(session: CliContext, file: string, flags: BackupFlags, output: Writable): Promise<void> {
  const { dataDir, s3Bucket } = await session.config()
  const connection = await session.connection()
  const progress = openProgress(session, 'rows and files')
  const options = {
    connection,
    version: MILLRACE_VERSION,
    dataDir: s3Bucket === undefined ? dataDir : undefined,
    bucket: flags.bucket ? await openBucketOf(session) : undefined,
    count: progress.add,
  }
  try {
    const { writeBackup, writeBackupFile } = await import('../platform/backup/index.ts')
    const toFile = file === STANDARD ? undefined : await writeBackupFile(file, options)
    const { rows, files } = toFile ?? (await writeBackup(output, options, false))
    progress.end()
    const size = toFile ? `, ${formatBytes(toFile.bytes)}` : ''
    session.warn(`OK, ${counted(rows, 'row')} and ${counted(files, 'file')}${size}`)
    if (s3Bucket !== undefined && !flags.bucket)
      session.warn(`The files in the bucket ${s3Bucket} are not part of the backup; with --bucket they are`)
  } finally {
    progress.end()
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r')
  } catch (error) {
    throw new BackupError(`${path.resolve(file)} cannot be read`, { cause: error })
  }
}

async function restoreFrom(session: CliContext, file: string): Promise<void> {
  const { dataDir } = await session.config()
  const bucket = await openBucketOf(session)
  const packed = file === STANDARD ? process.stdin : (await openFile(file)).createReadStream()
  const connection = await session.connection()
  const progress = openProgress(session, 'parts')
  try {
    const { restore } = await import('../platform/backup/index.ts')
    const { rows, files } = await restore(packed, { connection, dataDir, bucket, count: progress.add })
    progress.end()
    session.print(`OK, ${counted(rows, 'row')} and ${counted(files, 'file')}`)
  } finally {
    progress.end()
  }
}

/** Backups of the database and the stored files. */
export function addBackup(program: Command, session: CliContext, { output }: { readonly output: Writable }): void {
  program
    .command('backup <file>')
    .description(
      'save the database and the stored files as of one moment, also of a running server; - is standard output',
    )
    .option('--bucket', 'with the files in the bucket')
    .action((file: string, flags: BackupFlags) => backup(session, file, flags, output))
  program
    .command('restore <file>')
    .description('restore a backup into an empty database and the data folder; - is standard input')
    .action((file: string) => restoreFrom(session, file))
}
