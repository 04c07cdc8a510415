import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFunctions, readMigrations, sqlFolder } from '../../../src/platform/database/migration_files.ts'

/* `npm run release -- v1.2.3` writes the migrations of a release for upgrades.test.ts. */

const version = process.argv[2] ?? ''
if (!/^v\d+\.\d+\.\d+$/.test(version)) throw new Error('the tag of the release is missing, such as v1.2.3')
const migrations = readMigrations(join(sqlFolder, 'migrations'), readFunctions(join(sqlFolder, 'functions')))
const state = migrations.map(({ name, checksum }) => ({ name, checksum }))
writeFileSync(join(import.meta.dirname, `release_${version}.json`), `${JSON.stringify(state, null, 2)}\n`)
