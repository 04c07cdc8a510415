import { startEmbedded } from '../../src/platform/database/embedded/index.ts'

/**
 * A process that uses the cluster in the folder of its first argument: prints the connection as a
 * line of JSON, and releases the cluster when its standard input ends. Tests kill it.
 */
async function main(dataDir: string): Promise<void> {
  const embedded = await startEmbedded({ dataDir, log: () => {}, extraSettings: { fsync: 'off' } })
  process.stdout.write(`${JSON.stringify(embedded.connection)}\n`)
  process.stdin.resume()
  await new Promise(done => process.stdin.once('end', done))
  await embedded.close()
}

await main(process.argv[2] ?? '')
