import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;

/** One OpenSearch node in this process: `ClusterNode HOME CONFIG`. OpenSearch's own main class refuses root. */
public final class ClusterNode {
    public static void main(String[] arguments) throws Exception {
        System.setProperty("opensearch.set.netty.runtime.available.processors", "false");
        Settings home = Settings.builder().put("path.home", Path.of(arguments[0]).toAbsolutePath()).build();
        Path config = Path.of(arguments[1]).toAbsolutePath();
        Node node = new Node(InternalSettingsPreparer.prepareEnvironment(home, Map.of(), config, () -> "node"));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
        node.start();
        Thread.currentThread().join();
    }

    private static void close(Node node) {
        try {
            node.close();
        } catch (IOException error) {
            error.printStackTrace();
        }
    }
}
