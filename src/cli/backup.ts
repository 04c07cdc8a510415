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
import { formatCount } from './format_count.ts'

const STANDARD_STREAM = '-'

/** Opens the configured bucket, if any. */
async function openBucket(context: CliContext): Promise<Storage | undefined> {
  const config = await context.config()
  if (config.s3Bucket === undefined) return undefined
  return (await import('../platform/storage/index.ts')).openStorage(config)
}

interface BackupFlags {
  readonly bucket?: true
}

async function backup(context: CliContext, file: string, flags: BackupFlags, output: Writable): Promise<void> {
  const { dataDir, s3Bucket } = await context.config()
  const connection = await context.connection()
  const progress = openProgress(context, 'rows and files')
  const options = {
    connection,
    version: MILLRACE_VERSION,
    dataDir: s3Bucket === undefined ? dataDir : undefined,
    bucket: flags.bucket ? await openBucket(context) : undefined,
    count: progress.add,
  }
  try {
    const { writeBackup, writeBackupFile } = await import('../platform/backup/index.ts')
    const fileResult = file === STANDARD_STREAM ? undefined : await writeBackupFile(file, options)
    const { rows, files } = fileResult ?? (await writeBackup(output, options, false))
    progress.end()
    const size = fileResult ? `, ${formatBytes(fileResult.bytes)}` : ''
    context.warn(`OK, ${formatCount(rows, 'row')} and ${formatCount(files, 'file')}${size}`)
    if (s3Bucket !== undefined && !flags.bucket)
      context.warn(`The files in the bucket ${s3Bucket} are not part of the backup; with --bucket they are`)
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

async function restoreFrom(context: CliContext, file: string): Promise<void> {
  const { dataDir } = await context.config()
  const bucket = await openBucket(context)
  const archive = file === STANDARD_STREAM ? process.stdin : (await openFile(file)).createReadStream()
  const connection = await context.connection()
  const progress = openProgress(context, 'parts')
  try {
    const { restore } = await import('../platform/backup/index.ts')
    const { rows, files, skipped } = await restore(archive, { connection, dataDir, bucket, count: progress.add })
    progress.end()
    if (skipped > 0) context.warn(`Skipped ${formatCount(skipped, 'file')} that the server has not stored`)
    context.print(`OK, ${formatCount(rows, 'row')} and ${formatCount(files, 'file')}`)
  } finally {
    progress.end()
  }
}

/** Backups of the database and the stored files. */
export function addBackup(program: Command, context: CliContext, { output }: { readonly output: Writable }): void {
  program
    .command('backup <file>')
    .description(
      'save a snapshot of the database and the stored files, even while the server runs; - is standard output',
    )
    .option('--bucket', 'include the files in the bucket')
    .action((file: string, flags: BackupFlags) => backup(context, file, flags, output))
  program
    .command('restore <file>')
    .description('restore a backup into an empty database and the data folder; - is standard input')
    .action((file: string) => restoreFrom(context, file))
}
