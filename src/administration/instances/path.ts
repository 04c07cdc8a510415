/** The page of other servers. */
export const PATH = '/admin/instances'
