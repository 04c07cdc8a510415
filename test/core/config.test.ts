import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { CONFIG_TABLE, InvalidConfig, readConfig } from '../../src/core/config.ts'

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof InvalidConfig)
    return error.message.split('\n')
  }
}

test('an empty environment gives a complete configuration', async () => {
  const config = readConfig({})
  assert.equal(config.publicUrl, 'http://localhost:3000')
  assert.equal(config.streamingUrl, 'ws://localhost:3000')
  assert.deepEqual([config.s3Bucket, config.translationBackend, config.databaseUrl], [undefined, undefined, undefined])
  assert.equal(Object.isFrozen(config), true)
})

test('all errors are reported together, one line each', async () => {
  const faults = faultsOf({
    PORT: '70000',
    PUBLIC_URL: 'ftp://example.com',
    RATE_LIMITS: 'perhaps',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://db',
    TRUSTED_PROXIES: 'somewhere',
  })
  assert.deepEqual(faults.slice(0, 2), [
    'PORT must be a whole number from 0 to 65535, not "70000"',
    'PUBLIC_URL must be a URL starting with http:// or https://, not "ftp://example.com"',
  ])
  assert.match(faults.join('\n'), /^DATABASE_URL must start with postgres:\/\/ or postgresql:\/\/$/m)
  assert.match(faults.join('\n'), /^RATE_LIMITS must be on or off, not "perhaps"$/m)
  assert.match(faults.join('\n'), /^LOG_LEVEL must be one of fatal, error, warn, info, debug, silent, not "loud"$/m)
  assert.match(faults.join('\n'), /^TRUSTED_PROXIES: /m)
  assert.equal(faults.length, 6)
})

test('a bucket and a translator need all of their settings', async () => {
  assert.deepEqual(faultsOf({ S3_ENDPOINT: 'https://s3.example', S3_ACCESS_KEY_ID: 'key' }), [
    'S3_ENDPOINT needs S3_BUCKET',
    'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY need each other',
  ])
  assert.deepEqual(faultsOf({ PORT: '3001', HEALTH_PORT: '3001' }), [
    'HEALTH_PORT must be another port than PORT, 3001',
  ])
  assert.deepEqual(faultsOf({ TRANSLATION_BACKEND: 'deepl' }), ['TRANSLATION_BACKEND=deepl needs TRANSLATION_API_KEY'])
  assert.deepEqual(faultsOf({ TRANSLATION_BACKEND: 'libretranslate' }), [
    'TRANSLATION_BACKEND=libretranslate needs TRANSLATION_URL',
  ])
  assert.deepEqual(faultsOf({ TRANSLATION_BACKEND: 'parrot' }), [
    'TRANSLATION_BACKEND must be one of deepl, libretranslate, not "parrot"',
  ])
  const { s3PathStyle } = readConfig({ S3_BUCKET: 'media', S3_ENDPOINT: 'https://s3.example' })
  assert.equal(s3PathStyle, true)
})

test('the table of OPERATING.md has every variable, with its default and meaning', async () => {
  const document = readFileSync(new URL('../../OPERATING.md', import.meta.url), 'utf8')
  const rows = new Set(document.split('\n').map(line => line.replace(/\s+\|/g, ' |')))
  const missing = CONFIG_TABLE.map(one => `| \`${one.variable}\` | ${one.default} | ${one.meaning} |`).filter(
    row => !rows.has(row),
  )
  assert.deepEqual(missing, [])
})
