/**
 * Backups of the database and the stored files, and restoring them. A backup is a gzipped tar
 * archive: a manifest, the stored files, the rows of each table in COPY's text format, and a
 * summary, which shows that the backup is complete.
 */
export { newestBackup, removeOldBackups, scheduledFile } from './folder.ts'
export { restore } from './restore.ts'
export { writeBackup, writeBackupFile } from './write_file.ts'
