/** The headers of a file of a person, which browsers save and nobody caches. */
export const fileHeaders = (fileName: string): Record<string, string> => ({
  'Cache-Control': 'private, no-store',
  'Content-Disposition': `attachment; filename="${fileName}"`,
  'Content-Security-Policy': "default-src 'none'; sandbox",
})
