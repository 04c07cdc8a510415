/*
 * Loaded into the server's process before the server (server_process.ts): answers each message with
 * the memory that is left after a full collection, for which Node.js needs --expose-gc.
 */

process.on('message', () => {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo().length
  process.send?.({ heapBytes: heapUsed, externalBytes: external, rssBytes: rss, resources })
})
// Waiting for messages must not keep a server that stops.
process.channel?.unref()
