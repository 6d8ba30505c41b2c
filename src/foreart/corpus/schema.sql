-- One corpus, one file. Small columns that are scanned are separate from the texts, which are fetched one by one.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE patent (
    serial             INTEGER PRIMARY KEY,   -- order of arrival; stays when the patent is replaced
    id                 TEXT NOT NULL UNIQUE,  -- publication number with kind code
    key                TEXT NOT NULL,         -- without kind code and leading zeros: what matching compares
    country            TEXT NOT NULL,
    kind               TEXT NOT NULL,
    language           TEXT NOT NULL,
    document_type      TEXT NOT NULL,
    publication_status TEXT NOT NULL,
    title              TEXT NOT NULL,
    published          TEXT NOT NULL,         -- ISO, '' if unknown
    filed              TEXT NOT NULL,
    priority           TEXT NOT NULL,
    depth              TEXT NOT NULL,         -- full, abstract, title, empty
    family_id          TEXT NOT NULL,         -- as the source gave it
    application_number TEXT NOT NULL,
    collection         TEXT NOT NULL,
    abstract_words     INTEGER NOT NULL,
    claims_words       INTEGER NOT NULL,
    description_words  INTEGER NOT NULL,
    claims             INTEGER NOT NULL,
    inventors          INTEGER NOT NULL,
    content            BLOB NOT NULL          -- hash of all but the origins
);
CREATE INDEX patent_key ON patent (key);
CREATE INDEX patent_published ON patent (published);

CREATE TABLE record (
    serial INTEGER PRIMARY KEY REFERENCES patent (serial) ON DELETE CASCADE,
    json   BLOB NOT NULL                      -- the JSON record, zstd
);

CREATE TABLE class (
    serial   INTEGER NOT NULL REFERENCES patent (serial) ON DELETE CASCADE,
    scheme   TEXT NOT NULL,                   -- cpc, ipc
    position INTEGER NOT NULL,                -- 0 is the first symbol of the patent
    symbol   TEXT NOT NULL,
    PRIMARY KEY (serial, scheme, position)
) WITHOUT ROWID;
CREATE INDEX class_symbol ON class (symbol, serial);

CREATE TABLE applicant (
    serial INTEGER NOT NULL REFERENCES patent (serial) ON DELETE CASCADE,
    name   TEXT NOT NULL,
    PRIMARY KEY (serial, name)
) WITHOUT ROWID;

CREATE TABLE citation (
    serial   INTEGER NOT NULL REFERENCES patent (serial) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    cited    TEXT NOT NULL,                   -- key of the cited patent
    category TEXT NOT NULL,
    PRIMARY KEY (serial, position)
) WITHOUT ROWID;

-- Links between family members: priority numbers, and numbers of parents, continuations and own publications.
CREATE TABLE tie (
    serial INTEGER NOT NULL REFERENCES patent (serial) ON DELETE CASCADE,
    sort   TEXT NOT NULL,                     -- priority, relative
    number TEXT NOT NULL,
    PRIMARY KEY (serial, sort, number)
) WITHOUT ROWID;
CREATE INDEX tie_number ON tie (number);

CREATE TABLE signature (
    serial  INTEGER PRIMARY KEY REFERENCES patent (serial) ON DELETE CASCADE,
    minhash BLOB NOT NULL
);

-- Computed from the tables above; the family is named after its earliest member.
CREATE TABLE family (
    serial INTEGER PRIMARY KEY REFERENCES patent (serial) ON DELETE CASCADE,
    family TEXT NOT NULL,
    reason TEXT NOT NULL
);
CREATE INDEX family_family ON family (family);

-- The progress of loading each file, committed together with the loaded records.
CREATE TABLE load (
    file     TEXT PRIMARY KEY,
    size     INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    done     INTEGER NOT NULL,
    finished INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE reject (
    file     TEXT NOT NULL,
    position TEXT NOT NULL,
    format   TEXT NOT NULL,
    reason   TEXT NOT NULL,
    raw      BLOB NOT NULL,                   -- zstd
    PRIMARY KEY (file, position)
);
