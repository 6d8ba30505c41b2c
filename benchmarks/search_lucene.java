import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Version;

/** Lucene's part of search_peers.py: given weights in feature fields, a query is the sum of linear clauses. */
class SearchLucene {
    record Rows(long[] ends, int[] terms, float[] weights) {}

    static ByteBuffer part(FileChannel file, long start, long bytes) throws Exception {
        return file.map(FileChannel.MapMode.READ_ONLY, start, bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static long[] ends(Path file) throws Exception {
        try (FileChannel channel = FileChannel.open(file)) {
            long[] ends = new long[(int) (channel.size() / 8)];
            part(channel, 0, channel.size()).asLongBuffer().get(ends);
            return ends;
        }
    }

    /** One row of a file of rows. */
    static Rows row(FileChannel terms, FileChannel weights, long start, long end) throws Exception {
        int size = (int) (end - start);
        Rows row = new Rows(null, new int[size], new float[size]);
        if (size > 0) {
            part(terms, 4 * start, 4L * size).asIntBuffer().get(row.terms);
            part(weights, 4 * start, 4L * size).asFloatBuffer().get(row.weights);
        }
        return row;
    }

    static long build(Path from, Path index) throws Exception {
        long began = System.nanoTime();
        IndexWriterConfig config = new IndexWriterConfig().setRAMBufferSizeMB(512).setUseCompoundFile(false);
        long[] ends = ends(from.resolve("documents.ends"));
        try (IndexWriter writer = new IndexWriter(new MMapDirectory(index), config);
                FileChannel terms = FileChannel.open(from.resolve("documents.terms"));
                FileChannel weights = FileChannel.open(from.resolve("documents.weights"))) {
            for (int document = 0; document + 1 < ends.length; document++) {
                Rows row = row(terms, weights, ends[document], ends[document + 1]);
                Document fields = new Document();
                for (int place = 0; place < row.terms.length; place++) {
                    fields.add(new FeatureField("f", Integer.toString(row.terms[place], 36), row.weights[place]));
                }
                writer.addDocument(fields);
            }
            writer.forceMerge(1);
            writer.commit();
        }
        return System.nanoTime() - began;
    }

    static Query query(Rows row) {
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        for (int place = 0; place < row.terms.length; place++) {
            String term = Integer.toString(row.terms[place], 36);
            query.add(FeatureField.newLinearQuery("f", term, row.weights[place]), BooleanClause.Occur.SHOULD);
        }
        return query.build();
    }

    public static void main(String[] arguments) throws Exception {
        Path from = Path.of(arguments[0]), index = Path.of(arguments[1]);
        // Lucene may skip what cannot be among the best, or score everything: whichever is faster is measured.
        int threshold = arguments[2].equals("all") ? Integer.MAX_VALUE : 1000;
        IndexSearcher.setMaxClauseCount(Integer.MAX_VALUE);
        long built = Files.exists(index) ? 0 : build(from, index);
        long bytes = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(index)) {
            for (Path file : files) bytes += Files.size(file);
        }
        long[] ends = ends(from.resolve("queries.ends"));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        try (DirectoryReader reader = DirectoryReader.open(new MMapDirectory(index));
                FileChannel terms = FileChannel.open(from.resolve("queries.terms"));
                FileChannel weights = FileChannel.open(from.resolve("queries.weights"))) {
            IndexSearcher searcher = new IndexSearcher(reader);
            searcher.setQueryCache(null);
            System.out.printf(
                    "{\"version\": \"%s\", \"build_seconds\": %.1f, \"bytes\": %d}%n", Version.LATEST, built / 1e9, bytes);
            for (String line; (line = input.readLine()) != null; ) {
                int number = Integer.parseInt(line.strip());
                Rows row = row(terms, weights, ends[number], ends[number + 1]);
                long began = System.nanoTime();
                ScoreDoc[] found =
                        searcher.search(query(row), TopScoreDocCollector.createSharedManager(100, null, threshold)).scoreDocs;
                double spent = (System.nanoTime() - began) / 1e6;
                StringBuilder rows = new StringBuilder();
                for (ScoreDoc hit : found) rows.append(rows.isEmpty() ? "" : ", ").append(hit.doc);
                System.out.printf("{\"ms\": %.3f, \"rows\": [%s]}%n", spent, rows);
            }
        }
    }
}
