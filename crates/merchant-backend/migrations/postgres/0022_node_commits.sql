-- How many commits of its own each node has made; only the node itself counts up. A server that took
-- over without a commit that was acknowledged has fewer than the node remembers.
CREATE TABLE node_commits (
    node       TEXT PRIMARY KEY,
    written    BIGINT NOT NULL,
    written_at BIGINT NOT NULL
);
